//! The core of treewright: tables in, node tables out. No Python, no names of algorithms, no clock, no files.
//!
//! A folder may use the folders above it, never those below:
//!
//! | folder | takes -> gives | must not know |
//! | --- | --- | --- |
//! | [`error`], [`tolerance`] | slug, message, hints; when numbers count as equal | anything else |
//! | [`sys`], [`simd`], [`rng`] | memory, threads, cancellation; registers; random numbers | data |
//! | [`data`] | borrowed columns, their summaries, CSV | models, learning |
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

pub mod boost;
pub mod codes;
pub mod data;
pub mod discretize;
pub mod ensemble;
pub mod error;
pub mod grow;
pub mod loss;
pub mod model;
pub mod neighbors;
pub mod prune;
pub mod recipe;
pub mod rng;
pub mod rows;
pub mod rules;
pub mod simd;
pub mod split;
pub mod stats;
pub mod sys;
pub mod tolerance;
pub mod words;

pub use error::{Error, Result};
