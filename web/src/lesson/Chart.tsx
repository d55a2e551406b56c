/** A chart in the pixels of the page, with a slider under its axis: the thumb stands below the point it moves. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { makeScale } from '../ui/axis';

export interface Tick {
  value: number;
  label: string;
}
export type Scale = (value: number) => number;
export interface Drawing {
  x: Scale;
  y: Scale;
  width: number;
  height: number;
  /** Where the axes cross. */
  left: number;
  bottom: number;
}

const MARGIN = { left: 46, right: 16, top: 14, bottom: 42 };
const FIRST_WIDTH = 560;

interface ChartProps {
  /** What the picture shows, for those who do not see it. */
  label: string;
  x: readonly [number, number];
  y: readonly [number, number];
  xTicks: Tick[];
  yTicks: Tick[];
  xName: string;
  yName: string;
  height?: number;
  /** The value of the x axis under the pointer, while it is dragged. */
  onDrag?: (value: number) => void;
  children: (drawing: Drawing) => ComponentChildren;
  slider?: ComponentChildren;
}

export function Chart(props: ChartProps) {
  const { label, x, y, height = 260, onDrag, children, slider } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const scaleX = makeScale(x[0], x[1], MARGIN.left, right);
  const scaleY = makeScale(y[0], y[1], bottom, MARGIN.top);
  const drag = (event: PointerEvent) => {
    if (!onDrag || !event.buttons) return;
    const svg = event.currentTarget as SVGSVGElement;
    const frame = svg.getBoundingClientRect();
    const at = ((event.clientX - frame.left) / frame.width) * width;
    const value = x[0] + ((at - MARGIN.left) / (right - MARGIN.left)) * (x[1] - x[0]);
    onDrag(Math.min(x[1], Math.max(x[0], value)));
  };
  return (
    <div class="chart" ref={box}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        class={onDrag ? 'drag' : undefined}
        onPointerDown={(event) => {
          if (!onDrag) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
      >
        <Axes {...props} x={scaleX} y={scaleY} right={right} bottom={bottom} />
        {children({ x: scaleX, y: scaleY, width, height, left: MARGIN.left, bottom })}
      </svg>
      {slider && <div class="axis-slider">{slider}</div>}
    </div>
  );
}

interface AxesProps extends Pick<ChartProps, 'xTicks' | 'yTicks' | 'xName' | 'yName'> {
  x: Scale;
  y: Scale;
  right: number;
  bottom: number;
}

function Axes({ xTicks, yTicks, xName, yName, x, y, right, bottom }: AxesProps) {
  return (
    <>
      {yTicks.map((tick) => (
        <g class="grid">
          <path d={`M${MARGIN.left} ${y(tick.value)}H${right}`} />
          <text x={MARGIN.left - 8} y={y(tick.value) + 4} text-anchor="end">
            {tick.label}
          </text>
        </g>
      ))}
      {xTicks.map((tick) => (
        <text class="tick" x={x(tick.value)} y={bottom + 18} text-anchor="middle">
          {tick.label}
        </text>
      ))}
      <text class="axis-name" x={right} y={bottom + MARGIN.bottom - 6} text-anchor="end">
        {xName}
      </text>
      <text class="axis-name" x={MARGIN.left + 6} y={MARGIN.top}>
        {yName}
      </text>
    </>
  );
}

/** The width of an element; it is measured again when it changes. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(240, Math.round(element.clientWidth || FIRST_WIDTH)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

interface SliderProps {
  label: string;
  min: number;
  max: number;
  step?: number;
  value: number;
  /** The value in words. */
  text: string;
  onInput: (value: number) => void;
}

export function Slider({ label, min, max, step = 1, value, text, onInput }: SliderProps) {
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={text}
      min={min}
      max={max}
      step={step}
      value={value}
      onInput={(event) => onInput(Number(event.currentTarget.value))}
    />
  );
}
