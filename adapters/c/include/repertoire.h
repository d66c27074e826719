/* Repertoire: minds for the characters of any game. Guide: docs/guides/c.md. Licence: MIT OR Apache-2.0.
 *
 * A game loads a design, makes minds of it, tells each what it senses, ticks them, and reads what they do and why:
 *
 *   RepertoireDesign design;
 *   RepertoireMind mind;
 *   RepertoireDeed deed;
 *   if (repertoire_design_load(text, strlen(text), "villager.toml", &design) != REPERTOIRE_OK)
 *     fprintf(stderr, "%s\n", repertoire_error_message());
 *   repertoire_mind_new(design, 42, 7, &mind);
 *   repertoire_mind_see(mind, "wolf", "near");
 *   repertoire_mind_tick(mind, &deed);
 *
 * - Every call that can fail returns a code; repertoire_error_message has the reason and the remedy. A call that fails changes
 *   nothing, unless it says otherwise.
 * - Designs and minds are numbers, checked at every call: a handle that was freed or never given out is an error.
 * - Every pointer is checked for NULL. What cannot be checked is the caller's: a pointer that is not NULL leads to as much
 *   memory as the call says, names end with a NUL, and no other thread changes that memory while the call runs.
 * - Every call may be made from any thread. Two calls for the same mind wait for each other.
 * - The same design, seed, agent and senses give the same deeds, to the bit, on every machine and any number of threads.
 *
 * This file is written by cbindgen from adapters/c/src; a test compares the two.
 */

#ifndef REPERTOIRE_H
#define REPERTOIRE_H



#include <stddef.h>
#include <stdint.h>

// The version of this interface, for which the header was written. A library with the same number has every call, struct
// and constant of this header.
#define REPERTOIRE_ABI_VERSION 1

// Which names of a design: its tasks.
#define REPERTOIRE_TASKS 0

// Its sensors, which have values.
#define REPERTOIRE_SENSORS 1

// Its needs.
#define REPERTOIRE_NEEDS 2

// The facts that its plans are about, which have values.
#define REPERTOIRE_FACTS 3

// The kinds of things that its tasks are about.
#define REPERTOIRE_KINDS 4

// Its profiles: kinds of individuals.
#define REPERTOIRE_PROFILES 5

// Others who have a say in its decisions.
#define REPERTOIRE_VOICES 6

// In a column: this mind's sensor reads nothing, or the fact is not seen.
#define REPERTOIRE_NOTHING 65535

// The task in the deed of a mind that is broken (REPERTOIRE_ERROR_BROKEN).
#define REPERTOIRE_NO_TASK 4294967295

// What every call returns that can fail: REPERTOIRE_OK, or one of REPERTOIRE_ERROR_.... Later versions may add codes.
typedef int32_t RepertoireCode;

// A design: what a kind of character senses, does, needs and knows. Valid until it is freed, and never again after that.
// 0 is never the handle of anything.
typedef uint64_t RepertoireDesign;

// A mind: one character and what it senses. Valid until it is freed, and never again after that. 0 is never the handle of
// anything.
typedef uint64_t RepertoireMind;

// What a character does now.
typedef struct {
  // The task, by its number in the design's file; repertoire_design_name has its name.
  uint32_t task;
  // 1 if the task is about a thing that was offered, otherwise 0.
  uint32_t has_target;
  // The thing the task is about: the nearest that was offered of its kind. 0 if has_target is 0.
  uint64_t target;
} RepertoireDeed;

// The call did what it says.
#define REPERTOIRE_OK 0

// A pointer is NULL that must not be, or is not aligned for what it points to.
#define REPERTOIRE_ERROR_POINTER 1

// A handle that this library never gave out, or one of another kind (a design's where a mind's is needed).
#define REPERTOIRE_ERROR_HANDLE 2

// The handle of something that was freed.
#define REPERTOIRE_ERROR_FREED 3

// Text that is not UTF-8.
#define REPERTOIRE_ERROR_TEXT 4

// A mistake in a design or a table; repertoire_error_line and repertoire_error_column have its place.
#define REPERTOIRE_ERROR_MISTAKE 5

// A name that the design does not have; the message suggests one.
#define REPERTOIRE_ERROR_NAME 6

// A number of a task, sensor, value, fact or need that the design does not have.
#define REPERTOIRE_ERROR_INDEX 7

// A number that makes no sense here: NaN, a negative distance, probabilities that do not add up to 1.
#define REPERTOIRE_ERROR_NUMBER 8

// An array with too many or too few elements, or arrays that overlap.
#define REPERTOIRE_ERROR_SIZE 9

// The buffer is too small; the length that is needed was written.
#define REPERTOIRE_ERROR_BUFFER 10

// Bytes that are not a saved mind, or one of another design or version.
#define REPERTOIRE_ERROR_STATE 11

// Minds of several designs in one call, or one mind twice.
#define REPERTOIRE_ERROR_MINDS 12

// The mind has not decided anything yet: tick it first.
#define REPERTOIRE_ERROR_UNDECIDED 13

// The system gave no thread, or there are more than 4,294,967,295 things of a kind.
#define REPERTOIRE_ERROR_LIMIT 14

// A defect in this library ended an earlier call in the midst of changing this mind: restore it or free it.
#define REPERTOIRE_ERROR_BROKEN 15

// A defect in this library. Nothing crashed, but please report the message.
#define REPERTOIRE_ERROR_DEFECT 16

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the interface that the library has. Compare it with REPERTOIRE_ABI_VERSION before any other call if the
// library is loaded at run time.
uint32_t repertoire_abi_version(void);

// The version of Repertoire, such as "0.1.0". Never freed.
const char *repertoire_version(void);

// What went wrong in the last call of this thread that failed, and the remedy; empty before the first failure. The text
// stays in place until the next call of this thread that fails, or the thread's end.
const char *repertoire_error_message(void);

// The line of the mistake that the last failure of this thread was about, counted from 1; 0 if it was about no text.
uint32_t repertoire_error_line(void);

// The column of that mistake in characters, counted from 1; 0 if it was about no text.
uint32_t repertoire_error_column(void);

// On how many threads populations are ticked: 0, the default, for one per processor, 1 for the caller's own, at most 1024.
// What characters do does not depend on it. Waits until no population is being ticked.
RepertoireCode repertoire_set_threads(uint32_t threads);

// Frees every design and mind and ends the library's threads. Call it before you unload the library; it can be used again
// afterwards. Names and the messages of other threads stay.
RepertoireCode repertoire_shutdown(void);

// Loads a design from the text of its TOML file, `length` bytes of UTF-8. `file` is what messages call the text, usually
// the name of the file, and may be NULL. Free it with repertoire_design_free.
//
// A mistake in the text is REPERTOIRE_ERROR_MISTAKE, and the message names file, line, column, what is wrong and what
// would be right.
RepertoireCode repertoire_design_load(const char *toml,
                                      size_t length,
                                      const char *file,
                                      RepertoireDesign *design);

// The same character with tables learned from watching others of its kind: a new design, made from a table of what was
// sensed and done (comma-separated text, `length` bytes of UTF-8). The first line names the columns: sensors, `task`, and
// optionally `life`, which begins a new life wherever it changes. An empty cell is a sensor that was not read. `file` is
// what messages call the table, and may be NULL.
RepertoireCode repertoire_design_learn(RepertoireDesign design,
                                       const char *csv,
                                       size_t length,
                                       const char *file,
                                       RepertoireDesign *learned);

// Frees a design. Its minds live on.
RepertoireCode repertoire_design_free(RepertoireDesign design);

// What the design is called. Names are never freed: they stay in place as long as the library is loaded.
RepertoireCode repertoire_design_title(RepertoireDesign design,
                                       const char **title);

// How many tasks (or whatever `of` says: REPERTOIRE_TASKS, REPERTOIRE_SENSORS, ...) a design has.
RepertoireCode repertoire_design_count(RepertoireDesign design,
                                       uint32_t of,
                                       uint32_t *count);

// The name of a task (or whatever `of` says), by its number. Never freed.
RepertoireCode repertoire_design_name(RepertoireDesign design,
                                      uint32_t of,
                                      uint32_t index,
                                      const char **name);

// The number of a task (or whatever `of` says), by its name.
RepertoireCode repertoire_design_find(RepertoireDesign design,
                                      uint32_t of,
                                      const char *wanted,
                                      uint32_t *index);

// How many values a sensor or fact has: `of` is REPERTOIRE_SENSORS or REPERTOIRE_FACTS.
RepertoireCode repertoire_design_value_count(RepertoireDesign design,
                                             uint32_t of,
                                             uint32_t index,
                                             uint32_t *count);

// The name of a value of a sensor or fact, by its number. Never freed.
RepertoireCode repertoire_design_value_name(RepertoireDesign design,
                                            uint32_t of,
                                            uint32_t index,
                                            uint32_t value,
                                            const char **name);

// The number of a value of a sensor or fact, by its name.
RepertoireCode repertoire_design_value_find(RepertoireDesign design,
                                            uint32_t of,
                                            uint32_t index,
                                            const char *wanted,
                                            uint32_t *value);

// A new mind. `seed` is the world's, `agent` the character's number in it: the same two make the same individual. If the
// design has profiles, one is drawn. Free it with repertoire_mind_free.
RepertoireCode repertoire_mind_new(RepertoireDesign design,
                                   uint64_t seed,
                                   uint64_t agent,
                                   RepertoireMind *mind);

// A new mind of one of the design's profiles.
RepertoireCode repertoire_mind_new_with_profile(RepertoireDesign design,
                                                const char *profile,
                                                uint64_t seed,
                                                uint64_t agent,
                                                RepertoireMind *mind);

// Frees a mind.
RepertoireCode repertoire_mind_free(RepertoireMind mind);

// One tick: perceive, believe, want, plan, decide, act. Call it as often per second as the design is made for.
RepertoireCode repertoire_mind_tick(RepertoireMind mind,
                                    RepertoireDeed *deed);

// What the mind decided at its last tick; REPERTOIRE_ERROR_UNDECIDED before the first.
RepertoireCode repertoire_mind_deed(RepertoireMind mind,
                                    RepertoireDeed *deed);

// The name of the task that the mind decided on at its last tick. Never freed.
RepertoireCode repertoire_mind_task(RepertoireMind mind,
                                    const char **task);

// How strongly a need is felt, from 0 to 1, by its name.
RepertoireCode repertoire_mind_need(RepertoireMind mind,
                                    const char *need,
                                    double *level);

// How strongly a need is felt, from 0 to 1, by its number in the design's file.
RepertoireCode repertoire_mind_need_at(RepertoireMind mind,
                                       uint32_t need,
                                       double *level);

// Something that happened in the game eases a need, or makes it worse if `by` is below 0: a meal, a gift, a wound.
RepertoireCode repertoire_mind_ease(RepertoireMind mind,
                                    const char *need,
                                    double by);

// How strongly a need is felt, told by the game, from 0 to 1: for needs that are states of the body.
RepertoireCode repertoire_mind_set_need(RepertoireMind mind,
                                        const char *need,
                                        double level);

// A new life of the same individual: what it was doing, planning and perceiving is over, its needs start again. What it
// senses stays; clear it if it should not.
RepertoireCode repertoire_mind_begin_life(RepertoireMind mind);

// Why the mind does what it does, as text that ends with a NUL, which `length` counts too. With a capacity of 0 only the
// length is written, and `buffer` may be NULL; if the buffer is too small, REPERTOIRE_ERROR_BUFFER and the length needed.
RepertoireCode repertoire_mind_report(RepertoireMind mind,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length);

// Saves everything that a later tick depends on, in mid-plan too, and what is sensed, as `length` bytes. With a capacity of
// 0 only the length is written, and `buffer` may be NULL; if the buffer is too small, REPERTOIRE_ERROR_BUFFER and the
// length needed.
RepertoireCode repertoire_mind_save(RepertoireMind mind,
                                    uint8_t *buffer,
                                    size_t capacity,
                                    size_t *length);

// Goes on from what was saved, to the bit. The mind must be of the design that the saved one was of. If it fails, the mind
// stays as it was.
RepertoireCode repertoire_mind_restore(RepertoireMind mind,
                                       const uint8_t *bytes,
                                       size_t length);

// A sensor reads a value, both by name.
RepertoireCode repertoire_mind_see(RepertoireMind mind,
                                   const char *sensor,
                                   const char *value);

// A sensor reads a value, both by their number in the design's file.
RepertoireCode repertoire_mind_set(RepertoireMind mind,
                                   uint32_t sensor,
                                   uint32_t value);

// A sensor is not sure: how probable each of its values is, `count` numbers that add up to 1.
RepertoireCode repertoire_mind_believe(RepertoireMind mind,
                                       const char *sensor,
                                       const double *probabilities,
                                       size_t count);

// A sensor reads nothing.
RepertoireCode repertoire_mind_lose(RepertoireMind mind,
                                    const char *sensor);

// A fact of the plan is seen to be so, both by name. Facts that are not seen are believed to be as they were last seen.
RepertoireCode repertoire_mind_fact(RepertoireMind mind,
                                    const char *fact,
                                    const char *value);

// A fact of the plan is seen to be so, both by their number in the design's file.
RepertoireCode repertoire_mind_set_fact(RepertoireMind mind,
                                        uint32_t fact,
                                        uint32_t value);

// There is a thing of a kind that tasks are about, `thing` being the game's own number for it, at a distance from 0 up in
// any unit. Things stay offered until repertoire_mind_clear.
RepertoireCode repertoire_mind_offer(RepertoireMind mind,
                                     const char *kind,
                                     uint64_t thing,
                                     double distance);

// What somebody else says: for each of the design's tasks a number from 0 to 1.
RepertoireCode repertoire_mind_opine(RepertoireMind mind,
                                     const char *voice,
                                     const double *says,
                                     size_t count);

// Nothing is sensed, seen, offered or said any more.
RepertoireCode repertoire_mind_clear(RepertoireMind mind);

// Makes `count` minds of a design, numbered from `first_agent` on, as repertoire_mind_new would one by one. The handles are
// written to `minds`.
RepertoireCode repertoire_minds_new(RepertoireDesign design,
                                    uint64_t seed,
                                    uint64_t first_agent,
                                    size_t count,
                                    RepertoireMind *minds);

// Frees `count` minds, or none if one of them cannot be freed.
RepertoireCode repertoire_minds_free(const RepertoireMind *minds,
                                     size_t count);

// One tick of `count` minds of one design, on several threads. The same seed gives the same bits on any number of them.
//
// `readings` holds a column for each of the design's first `sensor_count` sensors: `count` values by number, one for each
// mind, REPERTOIRE_NOTHING where a sensor reads nothing. `facts` holds such columns for the design's first `fact_count`
// facts. A column that is NULL leaves what the minds sense as it is, and so do sensors and facts beyond those counts. Offers,
// beliefs and voices are told to each mind by the calls for one.
//
// `deeds` gets what each mind does, in the order of `minds`, and must overlap none of the other arrays.
//
// If this fails nothing has changed, except with REPERTOIRE_ERROR_BROKEN: then all other minds have ticked, and the deeds
// of the broken ones have the task REPERTOIRE_NO_TASK.
RepertoireCode repertoire_minds_tick(const RepertoireMind *minds,
                                     size_t count,
                                     const uint16_t *const *readings,
                                     size_t sensor_count,
                                     const uint16_t *const *facts,
                                     size_t fact_count,
                                     RepertoireDeed *deeds);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* REPERTOIRE_H */
