//! The core of treewright: tables in, node tables out. No Python, no names of algorithms, no clock, no files.
//!
//! A folder may use the folders above it, never those below:
//!
//! | folder | takes -> gives | must not know |
//! | --- | --- | --- |
//! | [`error`], [`tolerance`] | slug, message, hints; when numbers count as equal | anything else |
//! | [`sys`], [`simd`], [`rng`], [`peers`] | memory, threads, cancellation; registers; random numbers; other processes of a fit | data |
//! | [`data`] | borrowed columns, their summaries, CSV | models, learning |
//! | [`columns`] | cells and choices of the user -> kinds, levels, roles of columns, with reasons | models, learning |
//! | [`codes`] | numbers -> ordered codes | targets, nodes |
//! | [`model`], [`neighbors`] | node table, the way of a row, prediction, files; nearest rows | learning |
//! | [`stats`] | statistics -> cost, value | columns, nodes |
//! | [`split`] | a criterion, one column -> its best split; candidates -> the chosen one | the tree, which engine runs |
//! | [`rows`] | the rows of a node: held, searched, divided, by several engines | which node is grown next |
//! | [`grow`] | rows, chooser, limits -> tree: the only greedy loop | how rows are stored |
//! | [`prune`], [`loss`], [`discretize`] | tree -> smaller tree; losses of boosting; cut points of single columns | how a tree was grown |
//! | [`recipe`] | a recipe and a table -> a tree, on the fastest engine that supports it | names of algorithms |
//! | [`ensemble`], [`boost`], [`rules`] | many trees, boosted trees, rule sets | how an engine finds a split |
//! | [`words`] | words and numbers -> typed recipes: the only place where a name becomes a part | data, trees, how a recipe is run |

pub(crate) mod boost;
pub(crate) mod codes;
pub(crate) mod columns;
pub(crate) mod data;
pub(crate) mod discretize;
pub(crate) mod ensemble;
pub(crate) mod error;
pub(crate) mod grow;
pub(crate) mod loss;
pub(crate) mod model;
pub(crate) mod neighbors;
pub(crate) mod peers;
pub mod prelude;
pub(crate) mod prune;
pub(crate) mod recipe;
pub(crate) mod rng;
pub(crate) mod rows;
pub(crate) mod rules;
pub(crate) mod simd;
pub(crate) mod split;
pub(crate) mod stats;
pub(crate) mod sys;
pub(crate) mod tolerance;
pub(crate) mod words;

pub use error::{Error, Result};
