//! Costs of small sets, and what every impurity must obey.

use super::*;

fn criterion(impurity: Impurity, classes: usize) -> ClassCriterion<'static> {
    ClassCriterion::new(impurity, Classes { target: &[], classes, unit: 0.5 })
}

#[test]
fn costs_of_nine_and_five() {
    let [entropy, gini] = [Impurity::Entropy, Impurity::Gini].map(|impurity| criterion(impurity, 2));
    assert!((entropy.cost(&[18, 10]) / 14.0 - 0.940_285_958_670_631).abs() < 1e-12);
    assert!((gini.cost(&[18, 10]) / 14.0 - 0.459_183_673_469_387_8).abs() < 1e-15);
}

/// What [`Impurity::cost`] asks of every impurity, with factors and without.
#[test]
fn every_impurity_is_a_cost() {
    let sets = [[3, 5, 0], [1, 1, 1], [7, 0, 2], [40, 1, 1], [0, 0, 7], [0, 0, 0], [1 << 40, 5, 1 << 33]];
    for &impurity in Impurity::ALL {
        for factors in [&[][..], &[1.0; 3], &[2.0, 0.3, 1e3]] {
            let criterion = criterion(impurity, 3).with_factors(factors, &[]);
            for n in 0..50 {
                assert_eq!(criterion.cost(&[0, n, 0]), 0.0, "{impurity:?}: a pure set");
            }
            for (a, b) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
                let whole: Vec<u64> = a.iter().zip(b).map(|(a, b)| a + b).collect();
                let (parts, cost) = (criterion.cost(a) + criterion.cost(b), criterion.cost(&whole));
                assert!(parts <= cost * (1.0 + 1e-12) + 1e-12, "{impurity:?} is not concave: {a:?} + {b:?}");
                let twice: Vec<u64> = whole.iter().map(|n| 2 * n).collect();
                assert!((criterion.cost(&twice) - 2.0 * cost).abs() <= 1e-12 * cost, "{impurity:?}: {whole:?}");
            }
        }
        let plain = criterion(impurity, 3);
        assert!(plain.cost(&[1, 1, 1]) > 0.0 && (plain.cost(&[9, 1, 4]) - plain.cost(&[4, 9, 1])).abs() < 1e-12);
    }
}

#[test]
fn factors_of_one_change_nothing() {
    for &impurity in Impurity::ALL {
        let (plain, factored) = (criterion(impurity, 3), criterion(impurity, 3).with_factors(&[], &[1.0; 3]));
        for stats in [[3u64, 5, 0], [1, 1, 1], [0, 0, 7]] {
            assert!((plain.cost(&stats) - factored.cost(&stats)).abs() < 1e-14);
            assert_eq!(plain.weight(&stats), factored.weight(&stats));
        }
    }
}

#[test]
fn one_factor_is_a_weight_and_the_other_is_not() {
    let whole = criterion(Impurity::Gini, 3);
    let weighted = whole.clone().with_factors(&[2.0, 1.0, 3.0], &[]);
    assert!((weighted.cost(&[3, 5, 1]) - whole.cost(&[6, 5, 3])).abs() < 1e-14);
    assert_eq!(weighted.weight(&[3, 5, 1]), 7.0);
    let priced = whole.clone().with_factors(&[], &[2.0, 1.0, 3.0]);
    assert_eq!(priced.cost(&[3, 5, 1]), weighted.cost(&[3, 5, 1]));
    assert_eq!(priced.weight(&[3, 5, 1]), 4.5);
    let mut shares = [0.0; 3];
    priced.value(&[3, 5, 2], &mut shares);
    assert_eq!(shares, [0.3, 0.5, 0.2]);
}

#[test]
fn squared_error_of_numbers_far_from_zero() {
    let y = [1e9 + 1.0, 1e9 + 2.0, 1e9 + 6.0];
    let target = Numbers::new(&y, 3);
    let criterion = SquaredError { target: &target, unit: 1.0 };
    let mut stats = [0i128; 3];
    (0..3).for_each(|row| criterion.add(&mut stats, row, 1));
    let mut value = [0.0];
    criterion.value(&stats, &mut value);
    assert_eq!(value, [1e9 + 3.0]);
    assert_eq!(criterion.cost(&stats), 14.0);
}
