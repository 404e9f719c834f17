"""Trains the recogniser on synthetic strips, on one processor core and a second one that draws the strips.

    python train.py --steps 12000 --out run

Continues the run in the folder if there is one. The number of steps determines when the learning rate begins to fall;
changed before that, when a run is continued, it makes no difference to what was done. Every batch depends on the seed
and its number alone.
"""

import argparse
import math
import multiprocessing
import signal
import sys
import time
from collections import OrderedDict
from pathlib import Path

import cv2
import torch
from torch import Tensor, nn
from torch.nn import functional

from network import Recogniser, to_input
from strips import BLANK, Conditions, draw_batch, spell

SEED = 20261122
VALIDATION_SEED = 8
BATCH = 24
WIDTH = 416
"""Parts of lines: more characters a second than whole lines with their fillers."""
LEARNING_RATE = 3e-3
WARM_UP = 200
CONSTANT_SHARE = 0.6
"""Share of the steps after which the learning rate falls, with a cosine."""
HARDENING_STEPS = 1500
"""Steps over which the conditions become hard."""
REUSE_AFTER = (0, 61)
"""Each batch is used twice, the second time this many draws later, with other brightness and noise."""
AVERAGE = 0.998
"""Decay of the moving average of the weights, which is what is evaluated and exported."""
REPORT_EVERY = 250

VALIDATION = {
    "clear": Conditions(0.3, (12, 24)),
    "hard": Conditions(1.0, (9, 20)),
    "low resolution": Conditions(0.7, (5, 7)),
}


def draw_batches(queue, seed: int, first: int) -> None:
    """Puts batches into the queue, without end."""
    # The handler of the first process would wait for the queue to be emptied.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    cv2.setNumThreads(1)
    index = first
    while True:
        hardness = min(1.0, 0.25 + index * len(REUSE_AFTER) / HARDENING_STEPS)
        queue.put((index, *draw_batch(seed, index, BATCH, WIDTH, Conditions(hardness))))
        index += 1


class Batches:
    """The batches of all steps: new ones from a second process, and each again after a while."""

    def __init__(self, seed: int, step: int) -> None:
        self.kept: OrderedDict[int, tuple] = OrderedDict()
        self.queue = multiprocessing.Queue(16)
        first = max(0, step // len(REUSE_AFTER) - max(REUSE_AFTER))
        self.process = multiprocessing.Process(target=draw_batches, args=(self.queue, seed, first), daemon=True)
        self.process.start()

    def get(self, step: int) -> tuple[Tensor, Tensor]:
        draw, turn = divmod(step, len(REUSE_AFTER))
        wanted = max(0, draw - REUSE_AFTER[turn])
        while wanted not in self.kept:
            index, strips, labels = self.queue.get()
            self.kept[index] = (strips, labels)
            if len(self.kept) > max(REUSE_AFTER) + 20:
                self.kept.popitem(last=False)
        strips, labels = self.kept[wanted]
        return to_input(strips), torch.from_numpy(labels)


def vary_light(strips: Tensor, random: torch.Generator) -> Tensor:
    """Other contrast, brightness and noise."""
    count = strips.shape[0]
    gain = torch.empty(count, 1, 1, 1).uniform_(0.6, 1.25, generator=random)
    offset = torch.empty(count, 1, 1, 1).uniform_(-0.35, 0.35, generator=random)
    noise = torch.empty(count, 1, 1, 1).uniform_(0, 0.04, generator=random)
    return (strips * gain + offset + noise * torch.randn(strips.shape, generator=random)).clamp(-1, 1)


def compute_learning_rate(step: int, steps: int) -> float:
    progress = max(0.0, step / steps - CONSTANT_SHARE) / (1 - CONSTANT_SHARE)
    fall = 0.5 + 0.5 * math.cos(math.pi * min(1.0, progress))
    return LEARNING_RATE * min(1.0, (step + 1) / WARM_UP) * (0.01 + 0.99 * fall)


def update_average(average: nn.Module, network: nn.Module, step: int) -> None:
    decay = min(AVERAGE, (1 + step) / (20 + step))
    with torch.no_grad():
        for kept, current in zip(average.state_dict().values(), network.state_dict().values()):
            if kept.dtype.is_floating_point:
                kept.lerp_(current, 1 - decay)
            else:
                kept.copy_(current)


def count_errors(network: nn.Module, strips, labels) -> tuple[int, int]:
    """Lines read exactly, and steps with another class than their label, except beside a character."""
    network.eval()
    with torch.no_grad():
        classes = network(to_input(strips)).argmax(1).numpy()
    exact = sum(spell(row) == spell(label) for row, label in zip(classes, labels))
    return exact, int(((classes != labels) & (labels != BLANK)).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    # A regular exit also ends the second process.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint = options.out / "checkpoint.pt"
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    network = Recogniser().to(memory_format=torch.channels_last)
    average = Recogniser()
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), LEARNING_RATE, weight_decay=1e-3)
    step, processor, elapsed = 0, 0.0, 0.0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        optimiser.load_state_dict(saved["optimiser"])
        step, processor, elapsed = saved["step"], saved["processor"], saved["elapsed"]
    print(f"step {step} of {options.steps}, seed {options.seed}, {sum(p.numel() for p in network.parameters())} parameters", flush=True)
    validation = {name: draw_batch(VALIDATION_SEED, index, 64, 704, conditions) for index, (name, conditions) in enumerate(VALIDATION.items())}
    batches = Batches(options.seed, step)
    mean_loss = None
    mark_time, mark_processor = time.time(), time.process_time()
    while step < options.steps:
        strips, labels = batches.get(step)
        strips = vary_light(strips, torch.Generator().manual_seed(options.seed + step))
        for group in optimiser.param_groups:
            group["lr"] = compute_learning_rate(step, options.steps)
        network.train()
        # Half the time of float32 on processors with bfloat16; weights, sums of statistics and the loss remain float32.
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(strips.contiguous(memory_format=torch.channels_last))
        loss = functional.cross_entropy(logits.float(), labels)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        step += 1
        update_average(average, network, step)
        mean_loss = loss.item() if mean_loss is None else 0.98 * mean_loss + 0.02 * loss.item()
        if step % REPORT_EVERY == 0 or step == options.steps:
            elapsed += time.time() - mark_time
            processor += time.process_time() - mark_processor
            mark_time, mark_processor = time.time(), time.process_time()
            results = ", ".join(
                f"{name} {exact}/{len(labels)} lines ({wrong} steps wrong)"
                for name, (strips, labels) in validation.items()
                for exact, wrong in [count_errors(average, strips, labels)]
            )
            print(f"step {step}, {elapsed / 60:.1f} min, {processor / 60:.1f} min of processor time, loss {mean_loss:.4f}; {results}", flush=True)
            state = {"network": network.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save({**state, "step": step, "processor": processor, "elapsed": elapsed}, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").replace(checkpoint)
    batches.process.terminate()


if __name__ == "__main__":
    main()
