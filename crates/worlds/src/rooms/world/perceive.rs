//! Perceiving: what is in view is seen as it is; what should be in view and is not is lost.

use repertoire_character::expression::holds;
use repertoire_character::{Goal, PlaceId, Seen, ThingId};
use repertoire_prob::num::atan2;

use super::World;
use crate::rooms::social::{PATIENCE, Request};

impl World {
    /// A character looks around.
    pub(super) fn perceive(&mut self, who: usize) {
        let scenario = self.scenario.clone();
        let from = self.place_of(who);
        let part = &scenario.characters[who];
        let hiding = self.hiding();
        let in_view: Vec<bool> = (0..scenario.grid.len() as PlaceId)
            .map(|place| self.is_in_view_past(who, from, place, &hiding))
            .collect();
        let now = self.step;
        for (place, _) in in_view.iter().enumerate().filter(|(_, seen)| **seen) {
            let place = place as PlaceId;
            self.residents[who].known.see(place, scenario.grid.is_wall(place));
            self.residents[who].search.look(place, now);
        }
        for (at, thing) in self.things.iter().enumerate() {
            let id = ThingId(at as u32);
            let Some(kind) = scenario.roster.kind(id).filter(|_| !thing.gone) else { continue };
            let place = super::place_in(&self.things, id);
            let own = id == part.thing || thing.holder == Some(part.thing);
            if own || place.is_some_and(|place| in_view[place as usize]) {
                let seen =
                    Seen { thing: id, kind, place: thing.place, holder: thing.holder, values: &thing.values };
                self.residents[who].character.memory.see(seen, now, &scenario.laws);
            }
        }
        let memory = &mut self.residents[who].character.memory;
        memory.look(|place| in_view[place as usize], now, &scenario.laws);
        if let Some(steps) = part.looks_again {
            memory.doubt((now + 1).saturating_sub(steps), &scenario.laws);
        }
        self.with_search(who, |search, around| search.pass(around), false);
    }

    /// Everything as it is now, what is hidden too: for characters that know it all at the start.
    pub(super) fn show_everything(&mut self, who: usize) {
        let scenario = self.scenario.clone();
        for (at, thing) in self.things.iter().enumerate() {
            let id = ThingId(at as u32);
            let Some(kind) = scenario.roster.kind(id) else { continue };
            let seen = Seen { thing: id, kind, place: thing.place, holder: None, values: &thing.values };
            let memory = &mut self.residents[who].character.memory;
            memory.see(seen, 0, &scenario.laws);
            for (&(property, _), &value) in scenario.laws.kind(kind).properties.iter().zip(&thing.values) {
                memory.learn(id, property, value, &scenario.laws);
            }
        }
    }

    /// Whether a place is in a character's view.
    pub fn is_in_view(&self, who: usize, from: PlaceId, place: PlaceId) -> bool {
        self.is_in_view_past(who, from, place, &self.hiding())
    }

    fn is_in_view_past(&self, who: usize, from: PlaceId, place: PlaceId, hiding: &[bool]) -> bool {
        let (grid, part) = (&self.scenario.grid, &self.scenario.characters[who]);
        let ((ax, ay), (bx, by)) = (grid.xy(from), grid.xy(place));
        let (dx, dy) = (f64::from(bx) - f64::from(ax), f64::from(by) - f64::from(ay));
        // What is beside one is always noticed.
        if dx.abs() + dy.abs() <= 1.0 {
            return true;
        }
        if dx * dx + dy * dy > part.sight * part.sight {
            return false;
        }
        if part.view_deg < 360.0 {
            let (fx, fy) = self.residents[who].facing;
            let turn = atan2(dy, dx) - atan2(f64::from(fy), f64::from(fx));
            let turn = repertoire_mind::wrap_angle(turn).abs().to_degrees();
            if turn > part.view_deg / 2.0 {
                return false;
            }
        }
        grid.sees(from, place, &|at| hiding[at as usize])
    }

    /// Hears what others ask for, and takes it up; lets go of what is done.
    pub(super) fn listen(&mut self, who: usize) {
        if self.residents.len() == 1 {
            return;
        }
        let scenario = self.scenario.clone();
        let (here, hearing, now) = (self.place_of(who), scenario.characters[who].hearing, self.step);
        // Nobody does anything more for who is gone.
        let gone: Vec<bool> = (0..self.residents.len()).map(|asker| self.is_gone(asker)).collect();
        self.residents[who].requests.retain(|request| !gone[usize::from(request.from)]);
        for asker in (0..self.residents.len()).filter(|&asker| asker != who && !gone[asker]) {
            if f64::from(scenario.grid.distance(here, self.place_of(asker))) > hearing {
                continue;
            }
            for goal in 0..self.residents[asker].own_goals.len() {
                let wanted = &self.residents[asker].own_goals[goal];
                if !wanted.asks {
                    continue;
                }
                let open = !holds(&wanted.want, &wanted.roles(), &self.truth());
                let known = self.residents[who].requests.iter().position(|request| {
                    (usize::from(request.from), usize::from(request.goal)) == (asker, goal)
                });
                match (open, known) {
                    (true, None) => {
                        let (from, goal) = (asker as u16, goal as u16);
                        let request = Request { from, goal, since: now, helped: false, given_up: false };
                        self.residents[who].requests.push(request);
                    }
                    (false, Some(at)) => self.thank(asker, who, at),
                    (true, Some(at)) => self.lose_patience(asker, who, at),
                    (false, None) => {}
                }
            }
        }
        let taken_up: Vec<Goal> = self.residents[who]
            .requests
            .iter()
            .map(|request| {
                let asker = &self.residents[usize::from(request.from)];
                let goal = &asker.own_goals[usize::from(request.goal)];
                Goal { name: format!("{} for {}", goal.name, asker.name), asks: false, ..goal.clone() }
            })
            .collect();
        let resident = &mut self.residents[who];
        let goals: Vec<Goal> = resident.own_goals.iter().cloned().chain(taken_up).collect();
        if goals != resident.character.goals() {
            resident.character.set_goals(goals);
        }
    }

    /// The request is met: who helped is thought better of.
    fn thank(&mut self, asker: usize, helper: usize, request: usize) {
        let request = self.residents[helper].requests.remove(request);
        if request.helped {
            let whom = self.residents[helper].thing;
            let esteem = self.residents[asker].esteem.iter_mut().find(|of| of.whom == whom);
            if let Some(esteem) = esteem {
                esteem.helped += 1;
            }
        }
    }

    /// The request has been open for long: who did nothing is thought worse of, once.
    fn lose_patience(&mut self, asker: usize, other: usize, at: usize) {
        let request = &mut self.residents[other].requests[at];
        if request.helped || request.given_up || self.step < request.since + PATIENCE {
            return;
        }
        request.given_up = true;
        let whom = self.residents[other].thing;
        if let Some(esteem) = self.residents[asker].esteem.iter_mut().find(|of| of.whom == whom) {
            esteem.refused += 1;
        }
    }

    /// A character did something for another's goal.
    pub(super) fn credit(&mut self, who: usize, goal: Option<u16>) {
        let own = self.residents[who].own_goals.len();
        let Some(request) = goal.and_then(|goal| usize::from(goal).checked_sub(own)) else { return };
        if let Some(request) = self.residents[who].requests.get_mut(request) {
            request.helped = true;
        }
    }
}
