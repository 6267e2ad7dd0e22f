/** Measures where the picture is within its element: text belongs on the picture, not on the black around it. */
import { useEffect, useState } from 'preact/hooks';

export interface CaptionBox {
  top: number;
  left: number;
  width: number;
  height: number;
  /** Free space below the picture. */
  under: number;
}
export function useBox(video: HTMLVideoElement): CaptionBox | undefined {
  const [box, setBox] = useState<CaptionBox>();
  useEffect(() => {
    const measure = () => {
      const { clientWidth, clientHeight, videoWidth, videoHeight } = video;
      const scale = videoWidth > 0 ? Math.min(clientWidth / videoWidth, clientHeight / videoHeight) : 1;
      const width = videoWidth > 0 ? videoWidth * scale : clientWidth;
      const height = videoWidth > 0 ? videoHeight * scale : clientHeight;
      const top = (clientHeight - height) / 2;
      setBox({ top, left: (clientWidth - width) / 2, width, height, under: top });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(video);
    video.addEventListener('resize', measure);
    return () => {
      watch.disconnect();
      video.removeEventListener('resize', measure);
    };
  }, [video]);
  return box;
}
