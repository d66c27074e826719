/* Loads the library while the program runs, as engines do that reload their plugins, uses it, and unloads it: three times.
 *
 *   gcc unload.c -I PREFIX/include -ldl -o unload && ./unload PREFIX/lib/librepertoire_c.so
 *
 * Exits with 0 only if everything went as it should; adapters/c/tests compile and run it. */
#include <repertoire.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 500

static void expect(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "expected: %s\n", what);
    exit(1);
  }
}

/* C has no cast from the pointer that dlsym gives to one to a function; memory has. */
static void find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  expect(symbol != NULL, name);
  memcpy(function, &symbol, sizeof symbol);
}

int main(int argc, char **argv) {
  expect(argc == 2, "the path of the library");
  static RepertoireMind minds[COUNT];
  static RepertoireDeed deeds[COUNT];
  unsigned long sums[3] = {0, 0, 0};
  for (int round = 0; round < 3; round++) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    expect(library != NULL, "the library loads");

    uint32_t (*abi_version)(void);
    RepertoireCode (*load)(const char *, size_t, const char *, RepertoireDesign *);
    RepertoireCode (*make)(RepertoireDesign, uint64_t, uint64_t, size_t, RepertoireMind *);
    RepertoireCode (*tick)(const RepertoireMind *, size_t, const uint16_t *const *, size_t, const uint16_t *const *, size_t,
                           RepertoireDeed *);
    RepertoireCode (*end)(void);
    find(library, "repertoire_abi_version", &abi_version);
    find(library, "repertoire_design_load", &load);
    find(library, "repertoire_minds_new", &make);
    find(library, "repertoire_minds_tick", &tick);
    find(library, "repertoire_shutdown", &end);
    expect(abi_version() == REPERTOIRE_ABI_VERSION, "a library of the header's version");

    RepertoireDesign design;
    const char *cat = "name = \"cat\"\ntasks = [\"sit\", \"walk\", \"sleep\"]\nstay = 0.5\n";
    expect(load(cat, strlen(cat), NULL, &design) == REPERTOIRE_OK, "a design");
    expect(make(design, 42, 0, COUNT, minds) == REPERTOIRE_OK, "minds");
    for (int k = 0; k < 20; k++) expect(tick(minds, COUNT, NULL, 0, NULL, 0, deeds) == REPERTOIRE_OK, "a tick");
    for (int k = 0; k < COUNT; k++) sums[round] = 3 * sums[round] % 1000003 + deeds[k].task;
    expect(load("name = ", 7, NULL, &design) == REPERTOIRE_ERROR_MISTAKE, "a mistake");
    expect(end() == REPERTOIRE_OK, "the end");
    expect(dlclose(library) == 0, "the library unloads");
  }
  expect(sums[0] == sums[1] && sums[1] == sums[2], "the same decisions each time");
  printf("loaded and unloaded three times\n");
  return 0;
}
