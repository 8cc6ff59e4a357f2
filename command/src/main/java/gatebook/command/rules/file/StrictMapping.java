package gatebook.command.rules.file;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** A strict mapping: unknown and duplicate keys are mistakes. */
final class StrictMapping {

  private final YamlValue mapping;
  private final Map<String, YamlValue> values = new HashMap<>();
  private final Set<String> seenKeys = new HashSet<>();

  private StrictMapping(YamlValue mapping) {
    this.mapping = mapping;
  }

  static StrictMapping read(YamlValue yamlValue, MappingNode mapping, List<String> known) {
    StrictMapping strictMapping = new StrictMapping(yamlValue);
    mapping.getValue().forEach(entry -> strictMapping.add(entry, known));
    return strictMapping;
  }

  /** The value of a key; empty if it is absent or {@code null}. */
  Optional<YamlValue> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** The value of a required key. */
  Optional<YamlValue> require(String key, String hint) {
    if (!seenKeys.contains(key)) {
      mistake("needs '%s': write %s".formatted(key, hint));
    }
    return get(key);
  }

  void mistake(String sentence) {
    mapping.mistake(sentence);
  }

  private void add(NodeTuple entry, List<String> known) {
    if (!(entry.getKeyNode() instanceof ScalarNode key)) {
      mapping.report().mistake(entry.getKeyNode(), "a key must be one word");
    } else if (!known.contains(key.getValue())) {
      mapping
          .report()
          .mistake(
              key,
              "%s is no key of %s: write %s"
                  .formatted(
                      mapping.report().quotedKey(key),
                      mapping.name(),
                      YamlValue.listed(known, "or")));
    } else if (!seenKeys.add(key.getValue())) {
      mapping.report().mistake(key, "'%s' is there twice: keep one".formatted(key.getValue()));
    } else {
      put(key, new YamlValue("'" + key.getValue() + "'", entry.getValueNode(), mapping.report()));
    }
  }

  /** Stores a value. A key without one is a mistake: its lines may all be commented out. */
  private void put(ScalarNode key, YamlValue yamlValue) {
    if (!(yamlValue.node() instanceof ScalarNode scalar)
        || YamlScalar.of(scalar) != YamlScalar.NOTHING) {
      values.put(key.getValue(), yamlValue);
    } else if (scalar.getValue().isEmpty()) {
      mapping
          .report()
          .mistake(
              key, "%s has no value: give it one, or leave it out".formatted(yamlValue.name()));
    }
  }
}
