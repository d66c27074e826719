//! How many numbers a model needs, hypothesis by hypothesis (Tencé 2011, eq. 4.1 to 4.11, tables 4.2 and 4.3).

use crate::layout::Layout;

/// Numbers in all tables. As `f64`: the first two pass any integer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    /// Everything depends on everything: `P(A | D, S)` as one table.
    pub full: f64,
    /// Actions independent given decision and stimuli (4.1 and 4.2).
    pub independent_actions: f64,
    /// Of which the actions' tables (4.2 alone).
    pub independent_actions_alone: f64,
    /// High-level and low-level stimuli told apart (4.3 and 4.4).
    pub refined: f64,
    /// Le Hy's model: inverse programming and fusion by enhanced coherence (4.6 and 4.7).
    pub le_hy: f64,
    /// This one: attention (4.8 to 4.11), without the first decision's table.
    pub chameleon: f64,
}

impl Numbers {
    /// For the thesis's form of a model: one slot a kind, one group.
    pub fn of(layout: &Layout) -> Self {
        let shape = layout.shape();
        let product = |counts: &[usize]| counts.iter().map(|&count| count as f64).product::<f64>();
        let sum = |counts: &[usize]| counts.iter().map(|&count| count as f64).sum::<f64>();
        let counts = |actions: &[crate::layout::ActionShape]| -> Vec<usize> {
            actions.iter().map(|action| action.count).collect()
        };
        let (reflexive, external) = (counts(&shape.reflexive), counts(&shape.external));
        let d = layout.decisions() as f64;
        let stimuli = product(&shape.high) * product(&shape.low);
        let actions = sum(&reflexive) + sum(&external);
        let values = sum(&shape.high) + sum(&shape.low);
        let independent_actions_alone = d * stimuli * actions;
        Numbers {
            full: stimuli * d * product(&reflexive) * product(&external),
            independent_actions: stimuli * d * d + independent_actions_alone,
            independent_actions_alone,
            refined: product(&shape.high) * d * d
                + d * (product(&shape.high) * sum(&reflexive) + product(&shape.low) * sum(&external)),
            le_hy: d * d + values * d + d * values * actions,
            chameleon: sum(&shape.high)
                + d * sum(&shape.low)
                + sum(&shape.high) * d * d
                + d * (sum(&shape.high) * sum(&reflexive) + sum(&shape.low) * sum(&external)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use repertoire_prob::num::significant;

    fn table_4_1(jump: usize) -> Numbers {
        let high = [3, 4, 14, 4, 2, 70];
        let low = [405, 45, 45, 72, 5];
        Numbers::of(&Layout::plain(10, &high, &low, &[12], &[3, jump, 3, 5, 3, 3]).unwrap())
    }

    #[test]
    fn table_4_3_comes_out_of_table_4_1() {
        let numbers = table_4_1(3);
        assert_eq!(significant(numbers.refined, 1), "60000000000");
        assert_eq!(numbers.le_hy, 220_870.0);
        assert_eq!(significant(numbers.le_hy, 2), "220000");
        assert_eq!(numbers.chameleon, 141_557.0);
        assert_eq!(significant(numbers.chameleon, 2), "140000");
        assert_eq!(
            (100.0 * (1.0 - numbers.chameleon / numbers.le_hy)).round(),
            36.0,
            "36% less than Le Hy's"
        );
    }

    /// The first two rows are printed as 3e18 and 8.6e15. With table 4.1 as printed the formulas give 4e18 and, from 4.1 and 4.2,
    /// 1.2e16; with two values for jump instead of three, and 4.2 alone, they give what is printed.
    #[test]
    fn the_first_rows_of_table_4_2_count_two_jumps_and_leave_the_decision_out() {
        let numbers = table_4_1(2);
        assert_eq!(significant(numbers.full, 1), "3e18");
        assert_eq!(significant(numbers.independent_actions_alone, 2), "8.6e15");
        assert_eq!(significant(numbers.refined, 1), "60000000000");
        let printed = table_4_1(3);
        assert_eq!(significant(printed.full, 1), "4e18");
        assert_eq!(significant(printed.independent_actions, 2), "1.2e16");
    }

    #[test]
    fn the_tables_of_a_layout_are_that_large() {
        let layout =
            Layout::plain(10, &[3, 4, 14, 4, 2, 70], &[405, 45, 45, 72, 5], &[12], &[3, 3, 3, 5, 3, 3])
                .unwrap();
        // The thesis leaves out the first decision's table.
        assert_eq!(layout.numbers(), Some(141_557 + 97 * 10));
    }
}
