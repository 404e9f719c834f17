import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Failure } from '../../components/failure';
import { PictureViewer } from './picture-viewer';
import type { MarkedBox, Rectangle } from './picture-viewer';
import { useEvidence } from './use-evidence';

interface SessionPictureProps {
  sessionId: string;
  evidenceId: string;
  label: string;
  /** Size of the picture as it was sent; unknown for pictures whose result does not have it. */
  size?: { width: number; height: number };
  rotation?: 0 | 90 | 180 | 270;
  boxes?: readonly MarkedBox[];
  highlighted?: string | null;
  /** Part of the picture that is shown alone, such as the portrait of a document. */
  crop?: Rectangle;
}

const MAX_CROP_HEIGHT = 260;

/** The size of a picture once the browser has loaded it. */
function useNaturalSize(href: string | undefined): { width: number; height: number } | null {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useEffect(() => {
    if (href === undefined) return undefined;
    const image = new Image();
    image.onload = () => setSize({ width: image.naturalWidth, height: image.naturalHeight });
    image.src = href;
    return () => {
      image.onload = null;
    };
  }, [href]);
  return size;
}

/** A picture of a session. Showing it is recorded in the audit log. */
export function SessionPicture(props: SessionPictureProps) {
  const { sessionId, evidenceId, label, size, rotation = 0, boxes, highlighted, crop } = props;
  const { data: href, error } = useEvidence(sessionId, evidenceId);
  const natural = useNaturalSize(size === undefined ? href : undefined);
  const known = size ?? natural;
  if (error !== null) return <Failure error={error} />;
  if (href === undefined || known === null) return <Skeleton height={200} role="status" aria-label={label} />;
  if (crop !== undefined) {
    const view = `${crop.x} ${crop.y} ${crop.width} ${crop.height}`;
    // Wider than the part at its greatest height, it would show what is next to the part.
    const maxWidth = (MAX_CROP_HEIGHT * crop.width) / crop.height;
    return (
      <svg viewBox={view} role="img" aria-label={label} style={{ width: '100%', maxWidth, display: 'block' }}>
        <g transform={`rotate(${rotation} ${crop.x + crop.width / 2} ${crop.y + crop.height / 2})`}>
          <image href={href} width={known.width} height={known.height} preserveAspectRatio="none" />
        </g>
      </svg>
    );
  }
  return (
    <PictureViewer label={label} href={href} {...known} rotation={rotation} boxes={boxes} highlighted={highlighted} />
  );
}
