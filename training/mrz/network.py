"""The line recogniser: a small convolutional network from a strip to the class of every step."""

import torch
from torch import Tensor, nn

from strips import BLANK

CLASSES = BLANK + 1


def _convolve(inputs: int, outputs: int, kernel, stride=1, groups: int = 1) -> nn.Sequential:
    padding = tuple(side // 2 for side in kernel)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Residual(nn.Module):
    """A depthwise and a pointwise convolution, added to their input."""

    def __init__(self, channels: int, kernel) -> None:
        super().__init__()
        self.layers = nn.Sequential(_convolve(channels, channels, kernel, groups=channels), _convolve(channels, channels, (1, 1)))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


class Recogniser(nn.Module):
    """From n x 1 x 32 x width, values -1 to 1, to logits n x classes x width / 4."""

    def __init__(self) -> None:
        super().__init__()
        self.image = nn.Sequential(
            _convolve(1, 20, (3, 3), 2),
            Residual(20, (3, 3)),
            _convolve(20, 40, (3, 3), 2),
            Residual(40, (3, 3)),
            _convolve(40, 56, (3, 3), (2, 1)),
            Residual(56, (3, 3)),
            _convolve(56, 72, (3, 3), (2, 1)),
            Residual(72, (3, 3)),
        )
        self.column = nn.Sequential(nn.Conv2d(72, 112, (2, 1), bias=False), nn.BatchNorm2d(112), nn.ReLU())
        # Three blocks see about three characters to each side: strokes of neighbours, not the rules of a format.
        self.row = nn.Sequential(*(Residual(112, (1, 5)) for _ in range(3)))
        self.head = nn.Conv2d(112, CLASSES, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.row(self.column(self.image(x)))).squeeze(2)


class Probabilities(nn.Module):
    """What the service runs: probabilities n x width / 4 x classes."""

    def __init__(self, recogniser: nn.Module) -> None:
        super().__init__()
        self.recogniser = recogniser

    def forward(self, x: Tensor) -> Tensor:
        return self.recogniser(x).softmax(1).transpose(1, 2)


def to_input(strips) -> Tensor:
    """Strips of bytes as input of the network."""
    return (torch.from_numpy(strips).float() / 127.5 - 1)[:, None]
