//! scratch
use repertoire_worlds::arena::{
    bots::Native,
    game::{Contender, Match},
    level::Level,
    rules::Rules,
};
use std::sync::Arc;
fn main() {
    let wad = std::fs::read("/usr/share/games/doom/freedm.wad").unwrap();
    let name = std::env::args().nth(1).unwrap();
    let level =
        Arc::new(Level::new(repertoire_worlds::arena::map::wad::import(&wad, &name).unwrap().map).unwrap());
    for seed in 0..2 {
        let bots = (0..8)
            .map(|l| Contender { name: format!("native:{l}"), mind: Box::new(Native::new(l)) })
            .collect();
        let mut game = Match::new(level.clone(), Rules::default(), bots, seed);
        let mut last = vec![0; 8];
        let mut shown = 0;
        for t in 0..6000 {
            game.tick();
            for id in 0..8 {
                let s = game.world().tally(id).stuck;
                if s > last[id] && shown < 12 && (s - last[id] > 1 || s % 200 == 0) {
                    shown += 1;
                    let l = game.world().look(id);
                    let p = level.places();
                    let here = p.nearest(l.position);
                    println!(
                        "t{t} id{id} stuck {s} at {:?} v {:?} area {:?} task {} why {} here {:?} point {:?} links {} cmd {:?}",
                        l.position,
                        l.velocity,
                        level.space().area_at(l.position.truncate()),
                        game.contenders()[id].mind.task(),
                        game.contenders()[id].mind.why(),
                        here,
                        p.point(here),
                        p.links(here).len(),
                        game.commands()[id]
                    );
                    println!(
                        "    {}",
                        serde_json::to_string(&game.contenders()[id].mind.save()["route"]).unwrap()
                    );
                    for o in 0..8 {
                        if o != id {
                            let q = game.world().look(o);
                            if q.alive && q.position.distance(l.position) < 3.0 {
                                println!("    near {o} at {:?}", q.position);
                            }
                        }
                    }
                }
                last[id] = s;
            }
        }
    }
}
