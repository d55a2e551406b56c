//! Learning: a recipe of parts, and the one loop that grows a tree with them.
//!
//! | part | takes -> gives | must not know |
//! | --- | --- | --- |
//! | [`criterion`] | statistics -> cost, value | columns, nodes, trees |
//! | [`split`] | criterion, one column, entries -> a split | other columns, depth, which criterion |
//! | [`choose`] | candidate splits -> the chosen one | rows |
//! | [`chance`] | class weights of children -> a probability | rows, gains |
//! | [`rows`] | a node's rows: held, searched, divided | names of algorithms |
//! | [`draw`] | a node -> the columns it may ask about | rows, criteria |
//! | [`deal`] | entries, a child for each -> the children's entries | columns, questions |
//! | [`divide`] | a table -> what each of its columns makes of the rows | nodes, trees |
//! | [`grow`] | table, criterion, rows, limits -> tree | names of algorithms |
//! | [`frontier`] | open nodes -> the next one | rows, columns |
//! | [`monotone`] | a constrained column -> what answers may be | rows, columns |
//! | [`priced`] | statistics, factors of classes -> cost, value | columns, nodes, trees |
//! | [`prune`] | tree -> tree | how it was grown |
//! | [`order`] | rows, a seed -> an order that does not depend on where rows stand | splits, trees |
//! | [`risk`] | what a node says -> what that costs | rows, splits |
//! | [`loss`] | target, scores -> start, gradients, link | trees |
//! | [`boost`] | loss, rounds -> a forest of sums | how splits are searched |
//! | [`study`] | a tree and its rows -> every split that a node could have made | names of algorithms |
//! | [`ensemble`] | samples, rounds -> many trees | splits |
//! | [`recipe`] | words -> parts: the only `match` on a name | everything else |

pub mod boost;
pub mod chance;
pub mod choose;
pub mod criterion;
pub mod deal;
pub mod divide;
pub mod draw;
pub mod ensemble;
pub mod frontier;
pub mod grow;
pub mod loss;
pub mod monotone;
pub mod numbers;
pub mod order;
pub mod priced;
pub mod prune;
pub mod recipe;
pub mod risk;
pub mod rows;
pub mod rules;
pub mod split;
pub mod stitch;
pub mod study;
pub mod weights;
