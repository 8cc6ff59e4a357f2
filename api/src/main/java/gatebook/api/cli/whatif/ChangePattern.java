package gatebook.api.cli.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.command.redecide.CallChange;
import gatebook.command.rules.Glob;
import gatebook.events.call.Gate;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A pattern of changes that are allowed: {@code CHANGE[:GATE[:TARGET]]}. {@code *} is any change or
 * any gate, TARGET is a glob as in the rules, in which colons are literal. What is left out is any.
 *
 * @param change empty for any
 * @param gate empty for any, and also for what no gate decides
 * @param target empty for any
 */
record ChangePattern(Optional<CallChange> change, Optional<Gate> gate, Optional<Glob> target) {
  private static final String ANY = "*";

  /** Whether it allows all calls that have this change, whatever gate and target they have. */
  boolean allowsAll(String changed) {
    return allows(changed) && gate.isEmpty() && target.isEmpty();
  }

  /** Whether it allows a group of a report. */
  boolean allows(JsonNode group) {
    return allows(group.path("change").asText())
        && gate.map(it -> it.word().equals(group.path("gate").asText())).orElse(true)
        && target.map(it -> it.matches(group.path("target").asText())).orElse(true);
  }

  private boolean allows(String changed) {
    return change.map(it -> it.word().equals(changed)).orElse(true);
  }

  /** Reads a pattern from an argument. */
  static final class Converter implements ITypeConverter<ChangePattern> {
    @Override
    public ChangePattern convert(String text) {
      String[] parts = text.split(":", 3);
      return new ChangePattern(
          parts[0].equals(ANY) ? Optional.empty() : Optional.of(change(parts[0])),
          parts.length < 2 || parts[1].equals(ANY) ? Optional.empty() : Optional.of(gate(parts[1])),
          parts.length < 3 ? Optional.empty() : Optional.of(glob(parts[2])));
    }

    private static CallChange change(String word) {
      return Arrays.stream(CallChange.values())
          .filter(it -> it != CallChange.UNCHANGED && it.word().equals(word))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "'%s' is no change: use * or one of %s".formatted(word, changes())));
    }

    private static String changes() {
      return Arrays.stream(CallChange.values())
          .filter(it -> it != CallChange.UNCHANGED)
          .map(CallChange::word)
          .collect(Collectors.joining(", "));
    }

    private static Gate gate(String word) {
      return Arrays.stream(Gate.values())
          .filter(it -> it.word().equals(word))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "'%s' is no gate: use *, visibility, governance, policy or approval"
                      .formatted(word)));
    }

    private static Glob glob(String pattern) {
      try {
        return new Glob(pattern);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "'%s' is no pattern of targets: %s".formatted(pattern, e.getMessage()));
      }
    }
  }
}
