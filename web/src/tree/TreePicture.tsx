/** A tree as a picture that can be moved and zoomed. The outline has the same for the keyboard and for screen readers. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fillText, t } from '../texts';
import { formatCount } from '../ui/numbers';
import { DrawnNode } from './DrawnNode';
import { Edges } from './Edges';
import { fitBox } from './fit';
import { type Form, type Placed, boxOf, placeNodes } from './layout';
import { type Zoom, isNear, useZoom } from './zoom';
import type { TreeView } from './view';
import './tree.css';

interface PictureProps {
  view: TreeView;
  form: Form;
  /** Space at the bottom that a caption covers, in pixels. */
  below?: number;
  /** The largest scale at which a small tree is drawn. */
  largest?: number;
  onSelect?: (id: number) => void;
}

export function TreePicture({ view, form, below = 24, largest = 1.15, onSelect }: PictureProps) {
  const zoom = useZoom();
  const preview = form === 'cards' ? view.preview.value : null;
  const model = view.model.value;
  const selected = view.selected.value;
  const placed = useMemo(
    () => placeNodes(view, form, preview),
    [model, view.expanded.value, view.widened.value, view.alpha.value, form, preview, preview && selected],
  );
  const fit = useFit(view, zoom, placed, form, below, largest);
  useSteadySelection(view, zoom, placed);
  const near = placed.filter((item) => isNear(zoom.window, item.x, item.y));
  return (
    <div class="canvas">
      <svg ref={zoom.svg} class={form} aria-hidden="true">
        <g ref={zoom.world} class={zoom.window?.far ? 'world far' : 'world'}>
          <Edges view={view} placed={placed} near={near} form={form} />
          {near.map((item) => (
            <DrawnNode
              key={item.key}
              view={view}
              item={item}
              form={form}
              far={!!zoom.window?.far}
              onSelect={onSelect}
            />
          ))}
        </g>
      </svg>
      <ZoomButtons zoom={zoom} onFit={() => fit(true)} />
      <TreeSum view={view} drawn={placed.length} />
    </div>
  );
}

/** Fits the picture where the view asks for it, and where its window changes size. */
function useFit(view: TreeView, zoom: Zoom, placed: Placed[], form: Form, below: number, largest: number) {
  const fit = (whole: boolean) => {
    const svg = zoom.svg.current;
    const root = placed[0];
    if (!svg || !root || svg.clientWidth === 0) return;
    const options = { form, below, whole, root, largest };
    const { x, y, scale } = fitBox(boxOf(placed, form), svg.clientWidth, svg.clientHeight, options);
    zoom.moveTo(x, y, scale);
  };
  const newest = useRef(fit);
  newest.current = fit;
  useEffect(() => {
    newest.current(false);
  }, [view, view.fits.value, form, below, view.preview.value]);
  useEffect(() => {
    const observer = new ResizeObserver(() => newest.current(false));
    observer.observe(zoom.svg.current!);
    return () => observer.disconnect();
  }, []);
  return fit;
}

/** The selected node keeps its place on the screen when subtrees open and close. */
function useSteadySelection(view: TreeView, zoom: Zoom, placed: Placed[]): void {
  const last = useRef<{ id: number; x: number; y: number; fits: number } | null>(null);
  useEffect(() => {
    const id = view.selected.value;
    const here = placed.find((item) => item.kind === 'node' && item.id === id);
    const before = last.current;
    const fits = view.fits.value + (view.preview.value ? 0.5 : 0);
    if (here && before && before.id === id && before.fits === fits) zoom.shift(before.x - here.x, before.y - here.y);
    last.current = here ? { id, x: here.x, y: here.y, fits } : null;
  }, [placed, view.selected.value]);
}

function ZoomButtons({ zoom, onFit }: { zoom: Zoom; onFit: () => void }) {
  return (
    <div class="zoom" role="group" aria-label={t.tree.zoom}>
      <button onClick={() => zoom.scaleBy(1.3)} aria-label={t.tree.zoomIn}>
        +
      </button>
      <button onClick={() => zoom.scaleBy(1 / 1.3)} aria-label={t.tree.zoomOut}>
        −
      </button>
      <button onClick={onFit} aria-label={t.tree.showAll} title={t.tree.showAll}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" fill="none" stroke="currentColor" stroke-width="1.6" />
        </svg>
      </button>
    </div>
  );
}

/** "8 nodes · 5 leaves · depth 2". */
export function TreeSum({ view, drawn }: { view: TreeView; drawn?: number }) {
  const { nodes, leaves, depth } = view.counts.value;
  const parts = [
    fillText(t.tree.nodes, { n: formatCount(nodes) }),
    fillText(t.tree.leaves, { n: formatCount(leaves) }),
    fillText(t.tree.depth, { n: depth }),
  ];
  if (drawn !== undefined && drawn < nodes) parts.push(fillText(t.tree.drawn, { n: formatCount(drawn) }));
  return <p class="sum">{parts.join(' · ')}</p>;
}
