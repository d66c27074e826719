// The same library from C++17: handles that free themselves, errors as exceptions, names as strings.
//
// Exits with 0 only if everything went as it should; adapters/c/tests compile and run it.
#include <repertoire.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace repertoire {

struct Error : std::runtime_error {
  RepertoireCode code;
  explicit Error(RepertoireCode code) : std::runtime_error(repertoire_error_message()), code(code) {}
};

inline void check(RepertoireCode code) {
  if (code != REPERTOIRE_OK) throw Error(code);
}

// A handle that is freed with its owner.
template <RepertoireCode (*Free)(uint64_t)> class Owned {
 public:
  Owned() = default;
  Owned(Owned &&other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
  Owned &operator=(Owned &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != 0) Free(handle_);
  }
  uint64_t operator*() const { return handle_; }
  uint64_t *out() { return &handle_; }

 private:
  uint64_t handle_ = 0;
};

class Design : public Owned<repertoire_design_free> {
 public:
  explicit Design(const std::string &toml, const char *file = nullptr) {
    check(repertoire_design_load(toml.data(), toml.size(), file, out()));
  }
};

class Mind : public Owned<repertoire_mind_free> {
 public:
  Mind(const Design &design, uint64_t seed, uint64_t agent) { check(repertoire_mind_new(*design, seed, agent, out())); }

  void see(const std::string &sensor, const std::string &value) {
    check(repertoire_mind_see(**this, sensor.c_str(), value.c_str()));
  }

  std::string tick() {
    RepertoireDeed deed;
    const char *task;
    check(repertoire_mind_tick(**this, &deed));
    check(repertoire_mind_task(**this, &task));
    return task;
  }

  std::string report() const {
    size_t length;
    check(repertoire_mind_report(**this, nullptr, 0, &length));
    std::string text(length, '\0');
    check(repertoire_mind_report(**this, text.data(), text.size(), &length));
    text.pop_back();  // the NUL
    return text;
  }

  std::vector<uint8_t> save() const {
    size_t length;
    check(repertoire_mind_save(**this, nullptr, 0, &length));
    std::vector<uint8_t> bytes(length);
    check(repertoire_mind_save(**this, bytes.data(), bytes.size(), &length));
    return bytes;
  }

  void restore(const std::vector<uint8_t> &bytes) { check(repertoire_mind_restore(**this, bytes.data(), bytes.size())); }
};

}  // namespace repertoire

static void expect(bool holds, const char *what) {
  if (!holds) throw std::logic_error(std::string("expected: ") + what);
}

int main() try {
  const repertoire::Design guard(R"(
    name = "guard"
    tasks = ["patrol", "chase"]
    stay = 0.8
    sensors.thief = ["hidden", "seen"]
    likelihood.thief.hidden = [0.99, 0.1]
    likelihood.thief.seen = ["x", "x"]
  )");
  std::vector<repertoire::Mind> guards;
  for (uint64_t agent = 0; agent < 10; agent++) guards.emplace_back(guard, 42, agent);

  int chases = 0;
  for (int tick = 0; tick < 100; tick++) {
    for (auto &one : guards) {
      one.see("thief", tick < 50 ? "hidden" : "seen");
      chases += one.tick() == "chase";
    }
  }
  std::cout << chases << " of 1000 decisions were to chase\n\n" << guards[0].report() << "\n\n";
  expect(chases > 300 && chases < 700, "they chase when they see the thief");

  const auto saved = guards[0].save();
  std::string first, again;
  for (int tick = 0; tick < 30; tick++) first += guards[0].tick();
  guards[0].restore(saved);
  for (int tick = 0; tick < 30; tick++) again += guards[0].tick();
  expect(first == again, "the same after a rewind");

  try {
    guards[0].see("thief", "sen");
    expect(false, "an exception");
  } catch (const repertoire::Error &error) {
    expect(error.code == REPERTOIRE_ERROR_NAME, "a name that there is not");
    std::cout << error.what() << "\n";
  }
  return 0;
} catch (const std::exception &error) {
  std::cerr << error.what() << "\n";
  return 1;
}
