/* Two hundred villagers live for a while, from C: needs, plans, reasons, saving, learning, and what goes wrong.
 *
 * Takes the number of ticks, 300 without it. Exits with 0 only if everything went as it should; adapters/c/tests compile and
 * run it. */
#include <repertoire.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 200

static const char *const VILLAGER =
    "name = \"villager\"\n"
    "tasks = [\"eat\", \"sleep\", \"work\", \"flee\"]\n"
    "stay = 0.7\n"
    "sensors.wolf = [\"away\", \"near\"]\n"
    "likelihood.wolf.away = [\"x\", \"x\", \"x\", 0.02]\n"
    "likelihood.wolf.near = [0.01, 0.02, 0.01, \"x\"]\n"
    "perceive.reaction_ticks = 2\n"
    "needs.hunger = { grows = 0.01, starts = 0.2 }\n"
    "needs.fatigue = { grows = 0.004, eased.sleep = 0.03 }\n"
    "facts.purse = [\"empty\", \"full\"]\n"
    "facts.meal = [\"due\", \"had\"]\n"
    "actions.work = \"purse: empty -> full\"\n"
    "actions.eat = \"purse: full -> empty, meal: due -> had\"\n"
    "goals.dinner = \"meal=had\"\n"
    "plan.pursue.dinner = \"hunger\"\n"
    "targets.eat = \"inn\"\n";

/* Ends the program if a call fails; a game would log the message and go on. */
static void must(RepertoireCode code, const char *what) {
  if (code != REPERTOIRE_OK) {
    fprintf(stderr, "%s: %s (code %d)\n", what, repertoire_error_message(), (int)code);
    exit(1);
  }
}
#define MUST(call) must((call), #call)

static void expect(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "expected: %s\n", what);
    exit(1);
  }
}

int main(int argc, char **argv) {
  const int ticks = argc > 1 ? atoi(argv[1]) : 300;
  expect(repertoire_abi_version() == REPERTOIRE_ABI_VERSION, "a library of the header's version");
  printf("Repertoire %s\n", repertoire_version());

  RepertoireDesign villager;
  MUST(repertoire_design_load(VILLAGER, strlen(VILLAGER), "villager.toml", &villager));
  static RepertoireMind village[COUNT];
  MUST(repertoire_minds_new(villager, 42, 0, COUNT, village));

  /* Names once, numbers from then on. */
  uint32_t eat, work;
  MUST(repertoire_design_find(villager, REPERTOIRE_TASKS, "eat", &eat));
  MUST(repertoire_design_find(villager, REPERTOIRE_TASKS, "work", &work));

  static uint16_t wolf[COUNT], purse[COUNT], meal[COUNT];
  static RepertoireDeed deeds[COUNT];
  const uint16_t *readings[] = {wolf};
  const uint16_t *facts[] = {purse, meal};
  size_t size = 0, room = 1 << 20;
  char *diary = malloc(room);
  expect(diary != NULL, "a megabyte");
  size += (size_t)sprintf(diary, "wolf,life,task\n");
  unsigned meals = 0;
  for (int k = 0; k < COUNT; k++) MUST(repertoire_mind_offer(village[k], "inn", 1, 12.0));
  for (int tick = 0; tick < ticks; tick++) {
    for (int k = 0; k < COUNT; k++) {
      double hunger;
      MUST(repertoire_mind_need_at(village[k], 0, &hunger));
      wolf[k] = tick % 100 < 10;
      meal[k] = hunger < 0.1;
    }
    MUST(repertoire_minds_tick(village, COUNT, readings, 1, facts, 2, deeds));
    for (int k = 0; k < COUNT; k++) {
      if (deeds[k].task == work) purse[k] = 1;
      /* What is offered is noticed a reaction time later. */
      if (deeds[k].task == eat && tick > 2) expect(deeds[k].has_target && deeds[k].target == 1, "they eat at the inn");
      if (deeds[k].task == eat && purse[k]) {
        purse[k] = 0;
        meals++;
        MUST(repertoire_mind_ease(village[k], "hunger", 0.5));
      }
      if (k < 20) {
        const char *task;
        MUST(repertoire_mind_task(village[k], &task));
        expect(room - size > 100, "room in the diary");
        size += (size_t)sprintf(diary + size, "%s,%d,%s\n", wolf[k] ? "near" : "away", k, task);
      }
    }
  }
  printf("%u meals\n", meals);
  expect(meals > (unsigned)ticks / 3, "meals");

  /* Why? */
  size_t length;
  MUST(repertoire_mind_report(village[4], NULL, 0, &length));
  char *report = malloc(length);
  expect(report != NULL, "memory for a report");
  MUST(repertoire_mind_report(village[4], report, length, &length));
  printf("\n%s\n", report);
  expect(strstr(report, "need hunger") != NULL, "a report speaks of needs");
  free(report);

  /* Save, go on, rewind: the same again. */
  MUST(repertoire_mind_save(village[4], NULL, 0, &length));
  uint8_t *saved = malloc(length);
  expect(saved != NULL, "memory for a mind");
  MUST(repertoire_mind_save(village[4], saved, length, &length));
  RepertoireDeed first[50], again[50];
  for (int tick = 0; tick < 50; tick++) MUST(repertoire_mind_tick(village[4], &first[tick]));
  MUST(repertoire_mind_restore(village[4], saved, length));
  for (int tick = 0; tick < 50; tick++) MUST(repertoire_mind_tick(village[4], &again[tick]));
  for (int tick = 0; tick < 50; tick++) expect(first[tick].task == again[tick].task, "the same after a rewind");
  free(saved);

  /* A pupil that learns from their diary. */
  RepertoireDesign pupil;
  MUST(repertoire_design_learn(villager, diary, size, "diary.csv", &pupil));
  free(diary);

  /* What goes wrong is said, and nothing crashes. */
  RepertoireCode code = repertoire_mind_see(village[0], "wulf", "near");
  expect(code == REPERTOIRE_ERROR_NAME, "no such sensor");
  printf("\n%s\n", repertoire_error_message());
  RepertoireMind gone = village[0];
  MUST(repertoire_minds_free(village, COUNT));
  expect(repertoire_mind_clear(gone) == REPERTOIRE_ERROR_FREED, "freed is freed");
  RepertoireDesign bad;
  code = repertoire_design_load("name = 7", 8, "bad.toml", &bad);
  expect(code == REPERTOIRE_ERROR_MISTAKE && repertoire_error_line() == 1, "a mistake with its line");
  printf("\n%s\n", repertoire_error_message());

  MUST(repertoire_design_free(pupil));
  MUST(repertoire_design_free(villager));
  MUST(repertoire_shutdown());
  return 0;
}
