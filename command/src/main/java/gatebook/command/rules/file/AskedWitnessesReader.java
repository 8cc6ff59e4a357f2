package gatebook.command.rules.file;

import gatebook.command.rules.AskedWitnesses;
import gatebook.events.journal.witness.WitnessPolicy;
import gatebook.events.journal.witness.WitnessPolicyReader;
import gatebook.events.journal.witness.WitnessPolicyReader.Mistake;
import gatebook.events.journal.witness.WitnessPolicyReader.Reading;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the section {@code witnesses}: who is asked to cosign the checkpoints of this log. */
final class AskedWitnessesReader {
  private static final Duration INTERVAL_LEAST = Duration.ofSeconds(1);
  private static final Duration INTERVAL_MOST = Duration.ofDays(1);
  private static final String HINT =
      "policy: a text of lines witness NAME VERIFIER-KEY URL, group and quorum NAME";

  private AskedWitnessesReader() {}

  static Optional<AskedWitnesses> read(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("interval", "policy");
    OptionalLong millis =
        keys.flatMap(it -> it.get("interval"))
            .map(it -> it.millis(INTERVAL_LEAST, INTERVAL_MOST))
            .orElse(OptionalLong.empty());
    return keys.flatMap(it -> it.require("policy", HINT))
        .flatMap(AskedWitnessesReader::policy)
        .map(policy ->
            new AskedWitnesses(
                policy,
                millis.isPresent()
                    ? Duration.ofMillis(millis.getAsLong())
                    : AskedWitnesses.INTERVAL));
  }

  private static Optional<WitnessPolicy> policy(YamlValue yamlValue) {
    Optional<String> text = yamlValue.text();
    return text.isEmpty()
        ? Optional.empty()
        : switch (WitnessPolicyReader.read(text.get())) {
          case Reading.Valid(WitnessPolicy policy) -> Optional.of(policy);
          case Reading.Broken(List<Mistake> mistakes) -> {
            mistakes.forEach(it -> yamlValue.mistake(sentence(it)));
            yield Optional.empty();
          }
        };
  }

  private static String sentence(Mistake mistake) {
    return mistake.line() == 0
        ? mistake.sentence()
        : "has a mistake in line %d: it %s".formatted(mistake.line(), mistake.sentence());
  }
}
