//! What the bindings, the tests and the benchmarks of the core use. Everything else is private, so that the compiler
//! reports what nobody needs.

/// What the columns of a table are.
pub mod columns {
    pub use crate::columns::amounts::{Mark, decimal_mark, read_amount};
    pub use crate::columns::column::{
        Choice, Column as TypedColumn, Meaning, Values as TypedValues, count_rows, to_levels,
    };
    pub use crate::columns::date_columns::part_number;
    pub use crate::columns::dates::{DateOrder, DatePart, find_written};
    pub use crate::columns::explanation::Explanation;
    pub use crate::columns::features::Feature;
    pub use crate::columns::file_notes::FileFacts;
    pub use crate::columns::number_label::write_number;
    pub use crate::columns::open::{MISSING_TEXTS, OpenTable, TableOptions};
    pub use crate::columns::rare_levels::{MIN_ROWS, OTHER, are_nearly_unique, are_sentences, pool};
    pub use crate::columns::reading::{Decisions, ReadTable, read_text, read_typed};
    pub use crate::columns::refusal::{Refusal, Stop};
    pub use crate::columns::roles::{ReadAs, ReadColumn};
    pub use crate::columns::sentence::{Hint, HintValue, Piece, Sentence};
    pub use crate::columns::target::{AMBIGUOUS_VALUES, TargetValues, Task};
    pub use crate::data::csv::cell::{BETWEEN, UNITS};
}

pub use crate::boost::exact::Exact;
pub use crate::boost::peer_rows::PeerRows;
pub use crate::boost::{Boosting, Start, TrainingData, model};
pub use crate::codes::ordered::midpoint;
pub use crate::data::csv::column::WantedKind;
pub use crate::data::csv::encode::{Encoded, Encoder, Feature, Kind as CsvKind};
pub use crate::data::csv::{CellRules, Chunk, Delimiter, Markers, NumberFormat, Options, Reader, Text, trim};
pub use crate::data::sparse::SparseMatrix;
pub use crate::data::strided::{Floats, Strided};
pub use crate::data::survey::{Summary, all_finite, survey};
pub use crate::data::table::{Column, Kind, MISSING, Table, UNSEEN};
pub use crate::discretize::{Division, Target as DiscretizeTarget, divide};
pub use crate::ensemble::adaboost::{Boosted, Rounds, adaboost, adaboost_merged};
pub use crate::ensemble::bag::Progress;
pub use crate::ensemble::bagging::{Bagging, Sampling};
pub use crate::ensemble::kept_codes::KeptCodes;
pub use crate::ensemble::leaf_targets::LeafTargets;
pub use crate::ensemble::merged_bagging::MergedBagging;
pub use crate::ensemble::sample::{RowSampling, Samples, Source};
pub use crate::ensemble::several::BaggingSeveral;
pub use crate::ensemble::{oob, sample};
pub use crate::grow::by_hand::Action;
pub use crate::grow::leaf_reason::LeafReason;
pub use crate::grow::study::{Details, Report, Studied};
pub use crate::model::alternatives::{AlternativeSplit, AlternativeSplits, COMPETITOR, SURROGATE};
pub use crate::model::arriving_trees::{ArrivingTrees, trees_to_bytes};
pub use crate::model::cases::{Cases, Target as CasesTarget};
pub use crate::model::combine::{Combine, HOWS, How, LINKS, Link};
pub use crate::model::engine::Method;
pub use crate::model::file;
pub use crate::model::file::Contents;
pub use crate::model::forest::{Forest, PredictOptions};
pub use crate::model::tree::{Leaf, Question, SHARE, STOP, SplitRule, Tree};
pub use crate::neighbors::index::{Found, Index};
pub use crate::neighbors::rows::{Rows, widened};
pub use crate::peers::threads::ThreadPeers;
pub use crate::peers::{Alone, Peers};
pub use crate::prune::estimate::Formula;
pub use crate::prune::pessimistic::Trial;
pub use crate::prune::truth::Truth;
pub use crate::prune::{alike, along, cost_complexity, cut, in_parts, reduced_error};
pub use crate::recipe::Recipe;
pub use crate::recipe::by_hand::{ByHand, NodeState, Stage};
pub use crate::recipe::grow_tree::grow_tree;
pub use crate::recipe::merged::{Merging, grow_merged};
pub use crate::recipe::several::grow_several;
pub use crate::recipe::study::{Look, study_tree};
pub use crate::rng::Stream;
pub use crate::rows::Figures;
pub use crate::rules::learn_rules;
pub use crate::simd::{Isa, Tier};
pub use crate::split::choose::Candidate;
pub use crate::stats::risk::Costs;
pub use crate::stats::target::Target;
pub use crate::stats::{chance, order};
pub use crate::sys::memory::{Frugal, collected, copied, room};
pub use crate::sys::pool::{Cancel, pool as thread_pool};
pub use crate::sys::{memory, pool};
pub use crate::tolerance::AVERAGE_GAIN;
pub use crate::words::boosting::BoostWords;
pub use crate::words::neighbors::{distance, search, search_word};
pub use crate::words::pruning::{PessimisticWords, estimate};
pub use crate::words::rules::rule_terms;
pub use crate::words::sampling::sampling;
pub use crate::words::tree::{BinaryWords, ShareWords, SurrogateWords, TreeWords};
pub use crate::words::{all, discretize, neighbors};
