/** Moving and scaling of a picture, and the part of it that is worth drawing. */
import { select } from 'd3-selection';
import { type ZoomBehavior, type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Box } from './layout';

/** Below this scale only names are drawn. */
const FAR = 0.5;

export interface Window extends Box {
  far: boolean;
}

export interface Zoom {
  svg: RefObject<SVGSVGElement | null>;
  world: RefObject<SVGGElement | null>;
  /** Nodes outside it are not drawn. Null: not known yet. */
  window: Window | null;
  scaleBy: (factor: number) => void;
  moveTo: (x: number, y: number, scale: number) => void;
  /** Moves what is drawn by a distance of the picture. */
  shift: (dx: number, dy: number) => void;
}

/** The window moves in halves of its size, not in pixels: most frames of a movement change nothing but a transform. */
function windowAround(svg: SVGSVGElement, at: ZoomTransform, old: Window | null): Window {
  const width = svg.clientWidth / at.k;
  const height = svg.clientHeight / at.k;
  const left = -at.x / at.k;
  const top = -at.y / at.k;
  const far = at.k < FAR;
  const inside = old && left >= old.left && left + width <= old.right && top >= old.top && top + height <= old.bottom;
  if (inside && old.far === far && old.right - old.left < 4 * width) return old;
  return { left: left - width / 2, right: left + 1.5 * width, top: top - height / 2, bottom: top + 1.5 * height, far };
}

export function useZoom(): Zoom {
  const svg = useRef<SVGSVGElement>(null);
  const world = useRef<SVGGElement>(null);
  const behavior = useRef<ZoomBehavior<SVGSVGElement, unknown> | null>(null);
  const [window, setWindow] = useState<Window | null>(null);
  useEffect(() => {
    const onZoom = (event: { transform: ZoomTransform }) => {
      world.current?.setAttribute('transform', event.transform.toString());
      if (svg.current) setWindow((old) => windowAround(svg.current!, event.transform, old));
    };
    behavior.current = zoom<SVGSVGElement, unknown>().scaleExtent([0.08, 2.5]).on('zoom', onZoom);
    select(svg.current!).call(behavior.current).on('dblclick.zoom', null);
  }, []);
  const withSvg = (
    act: (
      picture: ReturnType<typeof select<SVGSVGElement, unknown>>,
      zooms: ZoomBehavior<SVGSVGElement, unknown>,
    ) => void,
  ) => {
    if (svg.current && behavior.current) act(select<SVGSVGElement, unknown>(svg.current), behavior.current);
  };
  return {
    svg,
    world,
    window,
    scaleBy: (factor) => withSvg((picture, zooms) => picture.call(zooms.scaleBy, factor)),
    moveTo: (x, y, scale) =>
      withSvg((picture, zooms) => picture.call(zooms.transform, zoomIdentity.translate(x, y).scale(scale))),
    shift: (dx, dy) => withSvg((picture, zooms) => picture.call(zooms.translateBy, dx, dy)),
  };
}

/** Whether something at a place can be seen, or nearly. */
export function isNear(window: Window | null, x: number, y: number): boolean {
  if (!window) return true;
  return x + 200 >= window.left && x - 200 <= window.right && y + 90 >= window.top && y - 90 <= window.bottom;
}
