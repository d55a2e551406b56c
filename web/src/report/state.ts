/** What a report shows: which tree, how far it is pruned, the row that is tried, and whether the page predicts right. */
import { computed, signal } from '@preact/signals';
import type { Cell, NodeWork } from '../contract';
import { chooseClass, predictRow } from '../tree/combine';
import type { Forecast } from '../tree/because';
import { type ModelNode, type TreeModel, modelOfDoc, toNumber } from '../tree/model';
import { type Routed, routeRow } from '../tree/route';
import { FIRST_DRAWN, TreeView } from '../tree/view';
import { makePalette } from '../ui/palette';
import type { ReportDoc } from './document';

/** Probabilities that differ by less are equal. */
const SAME = 1e-9;
/** A tree of more nodes is drawn as a list, with the overview of all nodes below it. */
export const LARGE = 60;

export type Picture = 'cards' | 'list' | 'outline';

export class ReportState {
  readonly models: readonly TreeModel[];
  readonly shown = signal(0);
  readonly view: TreeView;
  readonly picture: ReturnType<typeof signal<Picture>>;
  /** The candidate of the selected node that is written out; null: the one that was taken. */
  readonly looked = signal<number | null>(null);
  readonly threshold = signal<number | null>(null);
  /** A position in the curve; -1: the whole tree. */
  readonly level = signal(-1);
  readonly row = signal<readonly Cell[]>([]);
  /** Cases that the page does not predict as the model does. */
  readonly wrong: number;

  constructor(readonly doc: ReportDoc) {
    this.models = (doc.trees ?? []).map((tree) =>
      modelOfDoc({
        features: doc.features,
        target: doc.target,
        classes: doc.tree_classes ?? null,
        criterion: doc.criterion ?? 'gini',
        tree,
      }),
    );
    this.view = new TreeView(computed(() => this.models[this.shown.value]!));
    this.view.link.value = doc.curve?.link ?? null;
    this.row.value = doc.start ?? [];
    const large = this.isLarge();
    const narrow = innerWidth <= 820;
    this.picture = signal<Picture>(large && narrow ? 'outline' : large ? 'list' : 'cards');
    if (large) this.view.limit.value = FIRST_DRAWN;
    this.wrong = this.countWrong();
  }

  isLarge(): boolean {
    return (this.models[this.shown.value]?.nodes.length ?? 0) > LARGE;
  }

  work(node: number): NodeWork | null {
    return this.doc.n_trees === 1 ? (this.doc.work?.[String(node)] ?? null) : null;
  }

  select(node: number): void {
    this.looked.value = null;
    this.threshold.value = null;
    this.view.select(node);
  }

  goTo(node: number): void {
    this.looked.value = null;
    this.threshold.value = null;
    this.view.goTo(node);
  }

  showTree(index: number): void {
    this.shown.value = index;
    this.view.openLargest(this.isLarge() ? FIRST_DRAWN : this.view.limit.value);
    this.select(0);
  }

  setLevel(level: number): void {
    this.level.value = level;
    this.view.alpha.value = level < 0 ? -1 : this.doc.curve!.alpha[level]!;
    if (!this.isDrawn(this.view.selected.value)) this.select(0);
  }

  /** Whether a node is part of the pruned tree. */
  private isDrawn(id: number): boolean {
    for (let node = this.view.node(id); node && node.parent >= 0; ) {
      node = this.view.node(node.parent);
      if (node && this.view.isLeaf(node)) return false;
    }
    return true;
  }

  readonly endsAt = (node: ModelNode): boolean => this.view.isLeaf(node);

  /** How the model predicts: all trees together, or the tree as it is pruned. */
  readonly forecast = computed((): Forecast => {
    const { classes, combine, costs } = this.doc;
    const pruned = this.models.length === 1 && this.level.value >= 0;
    const endsAt = pruned ? this.endsAt : undefined;
    const { palette } = this.view.model.value;
    return {
      trees: this.models,
      classes,
      palette: palette.length > 0 ? palette : makePalette((classes ?? []).map(() => 1)),
      predict: (row) => predictRow(this.models, combine!, row, endsAt),
      choose: (prediction) => chooseClass(prediction, costs),
    };
  });

  /** The distance of the smallest and the largest threshold of a feature. */
  readonly rangeOf = (feature: number): number => this.ranges.value[feature] ?? 1;

  private readonly ranges = computed(() => {
    const ends = this.doc.features.map(() => [Infinity, -Infinity] as [number, number]);
    for (const node of this.models.flatMap((model) => model.nodes)) {
      if (!node?.split || node.split.route) continue;
      const cut = toNumber(node.split.threshold);
      const own = ends[node.split.feature]!;
      if (Number.isFinite(cut)) ends[node.split.feature] = [Math.min(own[0], cut), Math.max(own[1], cut)];
    }
    return ends.map(([low, high]) => (high > low ? high - low : Math.abs(high) || 1));
  });

  /** The way of a row in the tree that is shown. */
  route(row: readonly Cell[]): Routed {
    return routeRow(this.view.model.value, row, this.endsAt);
  }

  private countWrong(): number {
    const { check, combine } = this.doc;
    if (!check || !combine) return 0;
    const isSame = (got: number | undefined, wanted: number) =>
      got !== undefined && Math.abs(got - wanted) <= SAME * Math.max(1, Math.abs(wanted));
    return check.cells.filter((cells, i) => {
      const got = predictRow(this.models, combine, cells);
      const wanted = check.expected[i]!;
      return got.length !== wanted.length || !wanted.every((value, k) => isSame(got[k], value));
    }).length;
  }
}
