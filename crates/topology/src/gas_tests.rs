//! The gas against figure 3.12 written down as plainly as it is printed: all nodes, every step, no index.

use proptest::prelude::*;

use super::*;

/// Figure 3.12 with the corrections, over lists.
#[derive(Default)]
struct Plain {
    nodes: Vec<(Point, f64)>,
    /// (lower, higher, age)
    edges: Vec<(usize, usize, u32)>,
}

fn length(a: &Point, b: &Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

fn pull(node: &mut Point, x: &Point, share: f64) {
    *node = [0, 1, 2].map(|k| node[k] + share * (x[k] - node[k]));
}

impl Plain {
    fn see(&mut self, x: Point, p: &GasSettings) {
        if self.nodes.len() < 2 {
            self.nodes.push((x, 0.0));
        }
        if self.nodes.len() < 2 {
            return;
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by(|&a, &b| length(&x, &self.nodes[a].0).total_cmp(&length(&x, &self.nodes[b].0)));
        let (n1, n2) = (order[0], order[1]);
        let pair = (n1.min(n2), n1.max(n2));
        self.edges.retain(|edge| (edge.0, edge.1) != pair);
        self.edges.push((pair.0, pair.1, 0));
        self.nodes[n1].1 += length(&x, &self.nodes[n1].0);
        pull(&mut self.nodes[n1].0, &x, p.a1);
        for edge in &mut self.edges {
            if edge.0 == n1 || edge.1 == n1 {
                edge.2 += 1;
            }
        }
        self.edges.retain(|edge| f64::from(edge.2) <= p.age);
        for m in self.neighbours(n1) {
            pull(&mut self.nodes[m].0, &x, p.a2);
        }
        for node in &mut self.nodes {
            node.1 = (node.1 - p.decay).max(0.0);
        }
        if self.nodes[n1].1 > p.err {
            let mut best: Option<usize> = None;
            for m in self.neighbours(n1) {
                if best.is_none_or(|best| self.nodes[m].1 > self.nodes[best].1) {
                    best = Some(m);
                }
            }
            let Some(m) = best else { return };
            let middle = [0, 1, 2].map(|k| (self.nodes[n1].0[k] + self.nodes[m].0[k]) / 2.0);
            self.nodes[n1].1 /= 2.0;
            self.nodes[m].1 /= 2.0;
            let error = self.nodes[n1].1 + self.nodes[m].1;
            self.nodes.push((middle, error));
            if p.edges == EdgeRule::Fritzke {
                let new = self.nodes.len() - 1;
                self.edges.retain(|edge| (edge.0, edge.1) != (n1.min(m), n1.max(m)));
                self.edges.push((n1, new, 0));
                self.edges.push((m, new, 0));
            }
        }
    }

    fn neighbours(&self, node: usize) -> Vec<usize> {
        let mut found: Vec<usize> = self
            .edges
            .iter()
            .filter(|edge| edge.0 == node || edge.1 == node)
            .map(|edge| if edge.0 == node { edge.1 } else { edge.0 })
            .collect();
        found.sort_unstable();
        found
    }
}

fn walk(steps: usize, seed: u64) -> Vec<Point> {
    let mut rng = repertoire_prob::Stream::new(seed, 0, "a walk");
    let mut at = [0.0, 0.0, 0.0];
    let mut heading = [0.0, 0.0];
    (0..steps)
        .map(|_| {
            heading = heading.map(|x| 0.95 * x + 8.0 * (rng.unit() - 0.5));
            at = [at[0] + heading[0], at[1] + heading[1], at[2]];
            at[2] = 0.1 * at[0];
            at
        })
        .collect()
}

fn params() -> impl Strategy<Value = GasSettings> {
    (0.0..0.5f64, 0.0..0.05f64, 0.0..20.0f64, 20.0..2000.0f64, 0u32..80, any::<bool>()).prop_map(
        |(a1, a2, decay, err, age, fritzke)| GasSettings {
            a1,
            a2,
            decay,
            err,
            age: f64::from(age),
            edges: if fritzke { EdgeRule::Fritzke } else { EdgeRule::Figure },
            ..GasSettings::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_gas_is_figure_3_12(params in params(), seed: u64, steps in 1usize..1500) {
        let (mut gas, mut plain) = (Gas::new(params).unwrap(), Plain::default());
        for x in walk(steps, seed) {
            gas.see(x).unwrap();
            plain.see(x, &params);
        }
        prop_assert_eq!(gas.len(), plain.nodes.len());
        for ((number, at), (k, (truth, error))) in gas.nodes().zip(plain.nodes.iter().enumerate()) {
            prop_assert_eq!(number as usize, k);
            for axis in 0..3 {
                prop_assert!((at[axis] - truth[axis]).abs() < 1e-6, "node {}: {:?} {:?}", k, at, truth);
            }
            prop_assert!((gas.error(number) - error).abs() < 1e-6);
        }
        let mut edges: Vec<(u32, u32, u32)> =
            plain.edges.iter().map(|&(a, b, age)| (a as u32, b as u32, age)).collect();
        edges.sort_unstable();
        prop_assert_eq!(gas.edges(), edges);
    }
}

#[test]
fn the_first_input_only_makes_a_node_and_the_second_goes_on() {
    let mut gas = Gas::new(GasSettings { a2: 0.5, ..GasSettings::default() }).unwrap();
    assert_eq!(gas.see([0.0; 3]), Ok(None));
    assert_eq!((gas.len(), gas.edges()), (1, vec![]));
    gas.see([10.0, 0.0, 0.0]).unwrap();
    // The new node is the nearest, and pulls its neighbour half of the way.
    assert_eq!(gas.nodes().collect::<Vec<_>>(), [(0, [5.0, 0.0, 0.0]), (1, [10.0, 0.0, 0.0])]);
    assert_eq!(gas.edges(), [(0, 1, 1)]);
}

#[test]
fn the_two_rules_differ_in_the_edge_of_a_new_node_only() {
    let input = [[0.0; 3], [100.0, 0.0, 0.0], [40.0, 0.0, 0.0], [40.0, 0.0, 0.0]];
    let learn = |edges| {
        let mut gas = Gas::new(GasSettings {
            a1: 0.0,
            a2: 0.0,
            decay: 1.0,
            err: 70.0,
            age: 9.0,
            edges,
            ..GasSettings::default()
        })
        .unwrap();
        input.into_iter().for_each(|x| {
            gas.see(x).unwrap();
        });
        gas
    };
    let (figure, fritzke) = (learn(EdgeRule::Figure), learn(EdgeRule::Fritzke));
    assert_eq!(figure.nodes().collect::<Vec<_>>(), fritzke.nodes().collect::<Vec<_>>());
    assert_eq!(figure.at(2), Some([50.0, 0.0, 0.0]));
    // 40 - 1 + 40 - 1, halved; the other end has none.
    assert_eq!([figure.error(0), figure.error(1), figure.error(2)], [39.0, 0.0, 39.0]);
    assert_eq!(figure.edges(), [(0, 1, 1)]);
    assert_eq!(fritzke.edges(), [(0, 2, 0), (1, 2, 0)]);
}

#[test]
fn as_printed_without_adding_up_errors_nothing_would_grow_but_here_it_does_and_stops() {
    let mut gas = Gas::new(GasSettings { err: 400.0, decay: 1.0, ..GasSettings::default() }).unwrap();
    let points = walk(2000, 3);
    let mut after = Vec::new();
    for _ in 0..30 {
        points.iter().for_each(|&x| {
            gas.see(x).unwrap();
        });
        after.push(gas.len());
    }
    assert!(after[0] > 10, "{after:?}");
    assert!(after[29] as f64 <= 1.2 * after[9] as f64, "{after:?}");
}

#[test]
fn a_saved_gas_goes_on_bit_by_bit() {
    let points = walk(3000, 5);
    let mut gas = Gas::new(GasSettings { err: 300.0, decay: 1.0, ..GasSettings::default() }).unwrap();
    points[..1500].iter().for_each(|&x| {
        gas.see(x).unwrap();
    });
    gas.remove(3);
    let saved = serde_json::to_string(&gas).unwrap();
    let mut again: Gas = serde_json::from_str(&saved).unwrap();
    for &x in &points[1500..] {
        assert_eq!(gas.see(x), again.see(x));
    }
    assert_eq!(serde_json::to_string(&gas).unwrap(), serde_json::to_string(&again).unwrap());
}

#[test]
fn the_number_of_a_removed_node_is_given_to_the_next() {
    let mut gas = Gas::new(GasSettings::default()).unwrap();
    [0.0, 100.0, 200.0].iter().for_each(|&x| {
        gas.place([x, 0.0, 0.0]);
    });
    gas.remove(1);
    assert_eq!((gas.len(), gas.at(1), gas.edges()), (2, None, vec![]));
    assert_eq!(gas.place([300.0, 0.0, 0.0]), 1);
    assert_eq!(gas.edges(), [(1, 2, 0)]);
}

#[test]
fn what_is_no_position_is_an_error_and_changes_nothing() {
    let mut gas = Gas::new(GasSettings::default()).unwrap();
    gas.see([1.0, 2.0, 3.0]).unwrap();
    for x in [[f64::NAN, 0.0, 0.0], [0.0, f64::NEG_INFINITY, 0.0], [0.0, 0.0, 1e13]] {
        assert!(matches!(gas.see(x), Err(PositionError::NotAPosition(_))), "{x:?}");
    }
    assert_eq!(gas.nodes().collect::<Vec<_>>(), [(0, [1.0, 2.0, 3.0])]);
    // Nodes that are not there: no panic.
    gas.remove(77);
    assert_eq!((gas.len(), gas.error(77), gas.won(77), gas.at(77)), (1, 0.0, 0, None));
}

#[test]
fn a_saved_gas_that_contradicts_itself_is_refused() {
    let mut gas = Gas::new(GasSettings::default()).unwrap();
    for x in [0.0, 10.0] {
        gas.see([x, 0.0, 0.0]).unwrap();
    }
    let saved = serde_json::to_string(&gas).unwrap();
    assert!(serde_json::from_str::<Gas>(&saved).is_ok());
    for (from, to, said) in [
        ("\"to\":1", "\"to\":7", "edge to node 7"),
        ("\"a1\":0.03", "\"a1\":3.0", "share of the way"),
        ("10.0,0.0,0.0", "1e20,0.0,0.0", "no position"),
        ("\"as_of\":0", "\"as_of\":9", "later than the gas"),
    ] {
        assert!(saved.contains(from), "{from} in {saved}");
        let error = serde_json::from_str::<Gas>(&saved.replacen(from, to, 1)).err();
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(said), "{error}");
    }
}
