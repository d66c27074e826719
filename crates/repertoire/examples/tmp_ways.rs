use repertoire::worlds::arena::game::{Contender, Match};
use repertoire::worlds::arena::rules::Rules;
use repertoire::{maps, roster};
fn main() {
    for name in std::env::args().skip(1) {
        let e = roster::find(&name).unwrap();
        let n = roster::find("native:3").unwrap();
        let mut t = std::collections::BTreeMap::<String, u32>::new();
        let mut m = 0.0;
        let mut fr = (0, 0);
        for seed in 0..3 {
            let mut g = Match::new(
                maps::find("halls").unwrap().1,
                Rules::default(),
                vec![
                    Contender { name: "a".into(), mind: (e.make)() },
                    Contender { name: "b".into(), mind: (n.make)() },
                ],
                seed,
            );
            for k in 0..1500 {
                g.tick();
                m += g.percepts()[0].own.velocity.truncate().length() * 0.1;
                *t.entry(g.contenders()[0].mind.task().to_owned()).or_default() += 1;
                if seed == 0 && k % 300 == 299 {
                    println!("{}\n", g.contenders()[0].mind.why());
                }
            }
            fr.0 += g.world().tally(0).frags;
            fr.1 += g.world().tally(1).frags;
        }
        println!("{name}: {:.0} m/min, frags {:?}, {:?}", m / 4500.0 * 600.0, fr, t);
    }
}
