//! The nearest rows are the nearest rows: every search against the plain one, and the plain one against the book.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod make;
mod oracle;

use make::{Cells, Dice, KINDS, mixed, row};
use treewright_core::prelude::{
    Cancel, Index, Isa, Nearest, distance as distance_of, search as search_of, search_word, thread_pool as pool,
};

const SEARCHES: [&str; 6] = ["auto", "plain", "tree", "singles", "bytes", "mixed"];
const COLUMN_METRICS: [&str; 6] = ["heom", "gower", "hamming", "euclidean", "manhattan", "chebyshev"];

fn find(search: &str, isa: Isa, metric: &str, rows: &Cells, queries: &Cells, k: usize) -> (Nearest, &'static str) {
    let columns = rows.numbers.first().map_or(0, Vec::len) + rows.codes.len();
    let distance = distance_of(metric, 3.0, vec![1.0; columns]).unwrap();
    let index = Index::new(rows.rows(), distance, search_of(search).unwrap(), isa, &Cancel::default()).unwrap();
    (index.search(&queries.rows(), k, &Cancel::default()).unwrap(), search_word(index.used()))
}

/// The same rows and the same bits of their distances.
fn assert_same(one: &Nearest, other: &Nearest, what: &str) {
    assert_eq!(one.rows, other.rows, "{what}");
    let bits = |found: &Nearest| found.distances.iter().map(|d| d.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(one), bits(other), "{what}");
}

#[test]
fn every_search_finds_what_the_plain_one_finds() {
    let mut dice = Dice(2463534242);
    for kind in KINDS {
        for columns in [1, 3, 8, 9, 17, 33] {
            let rows = Cells::numbers(200, || row(&mut dice, kind, columns));
            let mut queries = Cells::numbers(25, || row(&mut dice, kind, columns));
            // Some queries are rows.
            queries.numbers[..10].clone_from_slice(&rows.numbers[20..30]);
            for metric in ["euclidean", "manhattan", "chebyshev"] {
                for k in [1, 10, 70, 1000] {
                    let (plain, _) = find("plain", Isa::PORTABLE, metric, &rows, &queries, k);
                    for search in SEARCHES {
                        for isa in Isa::all() {
                            let (found, _) = find(search, isa, metric, &rows, &queries, k);
                            assert_same(&found, &plain, &format!("{search} {isa:?} {metric} {kind} {columns} k={k}"));
                        }
                    }
                }
            }
        }
    }
}

/// Tables of many leaves, groups and scales: clusters that single precision cannot tell apart from far away, a few rows
/// far out, rows on a grid, and numbers of very different size.
#[test]
fn large_tables_are_searched_like_the_plain_search_does() {
    let mut dice = Dice(88172645463325252);
    for (kind, columns) in
        [("bell", 3), ("bell", 20), ("clusters", 2), ("clusters", 18), ("far", 3), ("far", 17), ("ties", 4)]
    {
        let mut place = 0u32;
        let mut one = |dice: &mut Dice| {
            place += 1;
            let mut cells = row(dice, if kind == "ties" { kind } else { "bell" }, columns);
            match kind {
                "clusters" => cells.iter_mut().for_each(|x| *x = *x * 1e-3 + f64::from(place % 5) * 1e9),
                "far" if place.is_multiple_of(997) => cells.iter_mut().for_each(|x| *x *= 1e12),
                _ => {}
            }
            cells
        };
        let rows = Cells::numbers(20_000, || one(&mut dice));
        let queries = Cells::numbers(24, || one(&mut dice));
        for (metric, k) in [("euclidean", 10), ("euclidean", 13), ("manhattan", 3), ("chebyshev", 12)] {
            let (plain, _) = find("plain", Isa::PORTABLE, metric, &rows, &queries, k);
            for search in ["tree", "singles", "bytes"] {
                for isa in Isa::all() {
                    let (found, _) = find(search, isa, metric, &rows, &queries, k);
                    assert_same(&found, &plain, &format!("{search} {isa:?} {metric} {kind} {columns} k={k}"));
                }
            }
        }
    }
}

#[test]
fn the_searches_that_are_tried_are_the_searches_that_run() {
    let mut dice = Dice(99);
    let words = |metric: &str, rows: &Cells| {
        SEARCHES.map(|search| find(search, Isa::detect(), metric, rows, &rows.clone(), 1).1).to_vec()
    };
    let narrow = Cells::numbers(100, || row(&mut dice, "bell", 3));
    assert_eq!(words("euclidean", &narrow)[1..], ["plain", "tree", "singles", "bytes", "mixed"]);
    assert_eq!(words("euclidean", &narrow)[0], "tree");
    assert_eq!(words("minkowski", &narrow), ["plain"; 6]);
    assert_eq!(words("chebyshev", &narrow), ["tree", "plain", "tree", "plain", "plain", "plain"]);
    let wide = Cells::numbers(100, || row(&mut dice, "bell", 30));
    assert!(["bytes", "singles"].contains(&words("euclidean", &wide)[0]));
    assert_eq!(words("manhattan", &wide)[0], "tree");
    let table = mixed(&mut dice, 100, 3, 3, 4, false);
    assert_eq!(words("heom", &table), ["mixed", "plain", "plain", "plain", "plain", "mixed"]);
    let huge = Cells::numbers(100, || row(&mut dice, "huge", 3));
    assert_eq!(words("euclidean", &huge), ["plain"; 6]);
}

#[test]
fn mixed_tables_are_searched_like_the_plain_search_does() {
    let mut dice = Dice(7);
    for (numbers, codes, levels) in [(0, 5, 3), (4, 0, 2), (3, 4, 3), (2, 3, 600), (20, 20, 2), (1, 300, 2)] {
        let rows = mixed(&mut dice, 200, numbers, codes, levels, false);
        let queries = mixed(&mut dice, 25, numbers, codes, levels, true);
        for metric in COLUMN_METRICS {
            for k in [1, 9, 400] {
                let (plain, _) = find("plain", Isa::PORTABLE, metric, &rows, &queries, k);
                for isa in Isa::all() {
                    let (found, _) = find("mixed", isa, metric, &rows, &queries, k);
                    assert_same(&found, &plain, &format!("{metric} {numbers}+{codes} {isa:?} k={k}"));
                }
            }
        }
    }
}

#[test]
fn large_mixed_tables_are_searched_like_the_plain_search_does() {
    let mut dice = Dice(521288629);
    // Hundreds of rows at equal distances; categories alone; more levels than a byte holds.
    for (numbers, codes, levels) in [(3, 4, 3), (0, 3, 2), (5, 2, 300)] {
        let rows = mixed(&mut dice, 5000, numbers, codes, levels, false);
        let queries = mixed(&mut dice, 40, numbers, codes, levels, true);
        for metric in ["heom", "gower"] {
            for k in [1, 10, 30] {
                let (plain, _) = find("plain", Isa::PORTABLE, metric, &rows, &queries, k);
                for isa in Isa::all() {
                    let (found, _) = find("mixed", isa, metric, &rows, &queries, k);
                    assert_same(&found, &plain, &format!("{metric} {numbers}+{codes} {isa:?} k={k}"));
                }
            }
        }
    }
}

#[test]
fn weights_of_columns_count_in_every_search() {
    let mut dice = Dice(11);
    let rows = mixed(&mut dice, 300, 4, 6, 3, false);
    let queries = mixed(&mut dice, 50, 4, 6, 3, true);
    for weights in [vec![1.0, 2.0, 0.0, 0.5, 3.0, 1.0, 0.1, 0.0, 7.0, 40.0], vec![0.3; 10]] {
        for metric in ["heom", "gower", "hamming", "euclidean"] {
            let run = |search: &str| {
                let distance = distance_of(metric, 2.0, weights.clone()).unwrap();
                let index =
                    Index::new(rows.rows(), distance, search_of(search).unwrap(), Isa::detect(), &Cancel::default())
                        .unwrap();
                index.search(&queries.rows(), 7, &Cancel::default()).unwrap()
            };
            assert_same(&run("mixed"), &run("plain"), metric);
        }
    }
}

#[test]
fn the_plain_search_agrees_with_the_book() {
    let mut dice = Dice(5);
    for (numbers, codes) in [(3, 0), (0, 4), (3, 3), (12, 9)] {
        let rows = mixed(&mut dice, 60, numbers, codes, 3, false);
        let queries = mixed(&mut dice, 30, numbers, codes, 3, true);
        let metrics = if codes == 0 {
            vec!["minkowski", "euclidean", "manhattan", "chebyshev"]
        } else {
            vec!["heom", "gower", "hamming"]
        };
        for metric in metrics {
            let (found, _) = find("plain", Isa::PORTABLE, metric, &rows, &queries, 60);
            for q in 0..queries.count {
                let book = oracle::nearest(metric, 3.0, &rows, &queries, q);
                for (place, (apart, _)) in book.iter().enumerate() {
                    let (row, said) = (found.rows[q * 60 + place] as usize, found.distances[q * 60 + place]);
                    let own = oracle::distance(metric, 3.0, &rows, row, &queries, q);
                    // Rounding may exchange rows that the book puts equally far.
                    for other in [own, *apart] {
                        assert!(said == other || (said - other).abs() <= 1e-12 * other, "{metric} {said} {other}");
                    }
                }
            }
        }
    }
}

#[test]
fn ties_go_to_the_smaller_row_number() {
    let rows = Cells::numbers(2000, || vec![1.0, 2.0, 3.0]);
    for search in SEARCHES {
        let (found, _) = find(search, Isa::detect(), "euclidean", &rows, &Cells::numbers(3, || vec![1.0, 2.0, 4.0]), 5);
        assert_eq!(found.rows, [0, 1, 2, 3, 4].repeat(3), "{search}");
        assert_eq!(found.distances, [1.0; 15]);
    }
}

#[test]
fn squares_that_vanish_do_not_make_ties() {
    let mut place = 0;
    let rows = Cells::numbers(500, || {
        place += 1;
        vec![f64::from(place) * 1e-200, 1.0, 0.0]
    });
    let queries = Cells { count: 1, numbers: vec![vec![400.2e-200, 1.0, 0.0]], ..Cells::default() };
    for search in SEARCHES {
        let (found, _) = find(search, Isa::detect(), "euclidean", &rows, &queries, 3);
        assert_eq!(found.rows, [399, 400, 398], "{search}");
        assert!(found.distances.iter().all(|d| *d > 0.0 && *d < 2e-200), "{search}");
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let mut dice = Dice(3);
    for columns in [3, 20] {
        let rows = Cells::numbers(2000, || row(&mut dice, "ties", columns));
        let queries = Cells::numbers(300, || row(&mut dice, "ties", columns));
        for search in SEARCHES {
            let run = |threads| {
                pool(threads).unwrap().install(|| find(search, Isa::detect(), "euclidean", &rows, &queries, 9).0)
            };
            let one = run(1);
            for threads in [2, 3, 8] {
                assert_same(&run(threads), &one, search);
            }
        }
    }
}

#[test]
fn no_queries_no_answers_and_nothing_to_search_is_an_error() {
    let rows = Cells::numbers(100, || vec![1.0, 2.0]);
    for search in SEARCHES {
        let (found, _) = find(search, Isa::detect(), "euclidean", &rows, &Cells::default(), 5);
        assert_eq!((found.k, found.rows.len(), found.distances.len()), (5, 0, 0));
    }
    let index = |rows: &Cells, weights: usize| {
        let distance = distance_of("euclidean", 2.0, vec![1.0; weights]).unwrap();
        Index::new(rows.rows(), distance, search_of("auto").unwrap(), Isa::detect(), &Cancel::default())
    };
    assert!(index(&Cells::default(), 0).is_err());
    assert!(index(&rows, 3).is_err());
    assert!(index(&rows, 2).unwrap().search(&Cells::numbers(1, || vec![1.0]).rows(), 1, &Cancel::default()).is_err());
    assert!(index(&rows, 2).unwrap().search(&rows.rows(), 0, &Cancel::default()).is_err());
    assert!(distance_of("minkowski", 0.5, vec![]).is_err());
    assert!(distance_of("nearness", 2.0, vec![]).is_err());
}

#[test]
fn whoever_asks_for_it_is_obeyed_at_once() {
    let mut dice = Dice(1);
    for columns in [3, 20] {
        let rows = Cells::numbers(2000, || row(&mut dice, "bell", columns));
        let stop = Cancel::default();
        stop.cancel();
        for search in SEARCHES {
            let distance = distance_of("euclidean", 2.0, vec![1.0; columns]).unwrap();
            let index =
                Index::new(rows.rows(), distance, search_of(search).unwrap(), Isa::detect(), &Cancel::default())
                    .unwrap();
            assert!(index.search(&rows.rows(), 3, &stop).is_err(), "{search}");
        }
    }
}
