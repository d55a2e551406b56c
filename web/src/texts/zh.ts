/** The shared parts of the pages in Chinese; the workbench itself is in English. */
import { en } from './en';
import type { Texts } from './index';

export const zh: Texts = {
  ...en,
  ui: {
    theme: '浅色或深色',
    formula: '公式',
  },
  impurity: {
    entropy: '熵',
    gini: '基尼指数',
    variance: '方差',
  },
  tree: {
    ...en.tree,
    allRows: '全部数据行',
    missing: '缺失',
    known: '不缺失',
    isMissing: '缺失',
    isKnown: '不缺失',
    open: '问什么？',
    noRows: '没有数据行',
    noRowsMajority: '没有行：同上一节点',
    rows: '{n} 行',
    nodes: '{n} 个节点',
    leaves: '{n} 个叶',
    depth: '深度 {n}',
    drawn: '画出 {n} 个',
    more: '+ 另外 {n} 个 · {rows} 行',
    nodeTitle: '节点 {id}：{condition}；{n} 行：{counts}',
  },
};
