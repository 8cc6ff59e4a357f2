package gatebook.command.rules.file;

import gatebook.command.rules.WitnessRules;
import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.witness.WitnessedLogs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the section {@code witness}: the logs whose checkpoints this node cosigns. */
final class WitnessReader {
  private static final String NAME_HINT = "name: witness.example.com/gatebook";
  private static final String LOGS_HINT = "logs: [\"VERIFIER-KEY\"]";

  private WitnessReader() {}

  static Optional<WitnessRules> read(YamlValue yamlValue) {
    Optional<StrictMapping> keys = yamlValue.keys("name", "logs");
    Optional<String> name =
        keys.flatMap(it -> it.require("name", NAME_HINT)).flatMap(WitnessReader::name);
    List<VerifierKey> logs =
        keys.flatMap(it -> it.require("logs", LOGS_HINT))
            .map(WitnessReader::logs)
            .orElse(List.of());
    return name.map(it -> new WitnessRules(it, WitnessedLogs.of(logs)));
  }

  private static Optional<String> name(YamlValue yamlValue) {
    Optional<String> name = yamlValue.text();
    if (name.isPresent() && !CosigningKey.isName(name.get())) {
      yamlValue.mistake("must be the name of a key: neither spaces nor plus signs");
      return Optional.empty();
    }
    return name;
  }

  private static List<VerifierKey> logs(YamlValue yamlValue) {
    List<VerifierKey> logs = new ArrayList<>();
    for (YamlValue item : yamlValue.items()) {
      Optional<VerifierKey> key = item.text().flatMap(text -> key(item, text));
      if (key.isPresent() && logs.contains(key.get())) {
        item.mistake("is there twice: keep one");
      }
      key.ifPresent(logs::add);
    }
    return logs;
  }

  private static Optional<VerifierKey> key(YamlValue item, String text) {
    return switch (VerifierKey.parse(text)) {
      case LoadedKey.Key<VerifierKey>(VerifierKey key) -> Optional.of(key);
      case LoadedKey.Refused<VerifierKey> _ -> {
        item.mistake(
            "must be the verifier key of a log, name+id+base64, as its operator publishes it");
        yield Optional.empty();
      }
    };
  }
}
