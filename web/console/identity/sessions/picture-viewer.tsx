import { ActionIcon, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import './texts';

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A field that is drawn on the picture. */
export interface MarkedBox {
  id: string;
  label: string;
  box: Rectangle;
  /** Whether the sources of the field contradict each other. */
  isContradicted: boolean;
}

type Rotation = 0 | 90 | 180 | 270;

interface PictureViewerProps {
  /** What the picture shows. */
  label: string;
  href: string;
  /** Size of the picture as it was sent, in the pixels of the boxes. */
  width: number;
  height: number;
  /** Clockwise rotation that turns the picture upright. */
  rotation?: Rotation;
  boxes?: readonly MarkedBox[];
  /** Box that is emphasised. */
  highlighted?: string | null;
}

const ZOOM_STEP = 1.5;
const MAX_ZOOM = 8;
/** Height in pixels at which the whole picture is shown. */
const FITTED_HEIGHT = 480;

const TURNS: Readonly<Record<Rotation, Rotation>> = { 0: 90, 90: 180, 180: 270, 270: 0 };

/** Turns the picture around the corner that comes to lie at the origin. */
function describeRotation(rotation: Rotation, width: number, height: number): string {
  const moves = { 0: [0, 0], 90: [height, 0], 180: [width, height], 270: [0, width] } as const;
  return `translate(${moves[rotation].join(' ')}) rotate(${rotation})`;
}

function Box({ marked, isHighlighted }: { marked: MarkedBox; isHighlighted: boolean }) {
  const { box, label, isContradicted } = marked;
  const color = isContradicted ? 'var(--mantine-color-red-6)' : 'var(--mantine-color-indigo-5)';
  return (
    <rect
      {...box}
      fill={color}
      fillOpacity={isHighlighted ? 0.35 : 0.08}
      stroke={color}
      strokeWidth={isHighlighted ? 4 : 2}
      vectorEffect="non-scaling-stroke"
    >
      <title>{label}</title>
    </rect>
  );
}

interface ToolsProps {
  label: string;
  zoom: number;
  onZoom: (zoom: number) => void;
  onTurn: () => void;
}

function Tools({ label, zoom, onZoom, onTurn }: ToolsProps) {
  const { t } = useTranslation('sessions');
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        aria-label={t('picture.zoomOut', { label })}
        disabled={zoom <= 1}
        onClick={() => onZoom(Math.max(1, zoom / ZOOM_STEP))}
      >
        <IconZoomOut size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('picture.zoomIn', { label })}
        disabled={zoom >= MAX_ZOOM}
        onClick={() => onZoom(Math.min(MAX_ZOOM, zoom * ZOOM_STEP))}
      >
        <IconZoomIn size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t('picture.rotate', { label })} onClick={onTurn}>
        <IconRotateClockwise size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** A picture that can be enlarged and turned, with the fields that were read drawn on it. */
export function PictureViewer(props: PictureViewerProps) {
  const { label, href, width, height, rotation: upright = 0, boxes = [], highlighted = null } = props;
  const [zoom, setZoom] = useState(1);
  const [rotation, setRotation] = useState<Rotation>(upright);
  const isTurned = rotation % 180 !== 0;
  const view = isTurned ? `0 0 ${height} ${width}` : `0 0 ${width} ${height}`;
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Tools label={label} zoom={zoom} onZoom={setZoom} onTurn={() => setRotation(TURNS[rotation])} />
      </Group>
      <ScrollArea.Autosize
        mah={FITTED_HEIGHT}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <svg
          viewBox={view}
          role="img"
          aria-label={label}
          style={{ width: `${zoom * 100}%`, maxHeight: zoom > 1 ? undefined : FITTED_HEIGHT, display: 'block' }}
        >
          <g transform={describeRotation(rotation, width, height)}>
            <image href={href} width={width} height={height} preserveAspectRatio="none" />
            {boxes.map((marked) => (
              <Box key={marked.id} marked={marked} isHighlighted={marked.id === highlighted} />
            ))}
          </g>
        </svg>
      </ScrollArea.Autosize>
    </Stack>
  );
}
