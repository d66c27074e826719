//! One idea: an opponent runs out of sight; where are they now?
//!
//! `cargo run -p repertoire --example 10_where_is_the_opponent`

use repertoire::belief::{Dynamics, Filter, best_path, smooth, with_ends};

/// Two rooms joined by a corridor of three cells, and a closet beside the second room.
const PLACES: [&str; 6] = ["room", "corridor 1", "corridor 2", "corridor 3", "hall", "closet"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let exits = [
        vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        vec![0.1, 0.0, 0.9, 0.0, 0.0, 0.0],
        vec![0.0, 0.1, 0.0, 0.9, 0.0, 0.0],
        vec![0.0, 0.0, 0.1, 0.0, 0.9, 0.0],
        vec![0.0, 0.0, 0.0, 0.6, 0.0, 0.4],
        vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    ];
    // A corridor is passed in a second; in rooms one stays for a while, in the closet for exactly four.
    let stays = [
        vec![0.1, 0.2, 0.3, 0.2, 0.2],
        vec![1.0],
        vec![1.0],
        vec![1.0],
        vec![0.5, 0.3, 0.2],
        vec![0.0, 0.0, 0.0, 1.0],
    ];
    let dynamics = Dynamics::new(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &exits, &stays)?;

    // We see them enter the corridor; from then on we look into all of the corridor and half of the hall, and see nobody.
    let seen = |place: usize| (0..6).map(|s| f64::from(u8::from(s == place))).collect::<Vec<f64>>();
    let unseen = vec![1.0, 0.0, 0.0, 0.0, 0.5, 1.0];
    let mut views = vec![seen(0), seen(1), seen(2), seen(3)];
    views.extend(vec![unseen; 6]);

    let mut filter = Filter::of(&dynamics);
    for (t, view) in views.iter().enumerate() {
        if t == 0 {
            filter.begin(dynamics.initial(), view)?
        } else {
            filter.step(&dynamics, view)?
        };
        let mut told: Vec<(usize, f64)> =
            filter.belief().iter().copied().enumerate().filter(|(_, p)| *p > 0.005).collect();
        told.sort_by(|a, b| b.1.total_cmp(&a.1));
        let told: Vec<String> =
            told.iter().map(|(s, p)| format!("{} {:.0} %", PLACES[*s], 100.0 * p)).collect();
        println!("second {t}: {}", told.join(", "));
    }
    println!("how likely all that was: exp({:.2})", filter.log_evidence());

    // Later they are known to have come back into the corridor: what did they do in between?
    views.push(seen(3));
    let known = with_ends(&views, 0, 3)?;
    let back = smooth(&dynamics, &known)?;
    println!("looking back, he was in the closet at second 6 with {:.0} %", 100.0 * back[6][5]);
    let way = best_path(&dynamics, &known)?;
    let way: Vec<&str> = way.places.iter().map(|&s| PLACES[s as usize]).collect();
    println!("most likely: {}", way.join(", "));
    Ok(())
}
