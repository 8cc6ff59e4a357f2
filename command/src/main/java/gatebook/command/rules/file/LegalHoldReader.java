package gatebook.command.rules.file;

import gatebook.command.rules.LegalHold;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code legal_hold}: what may not be erased. */
final class LegalHoldReader {
  private static final String HINT = "{name: \"case 7\", principal: alice, since: 2026-01-31}";

  private final Set<String> names = new HashSet<>();

  List<LegalHold> read(YamlValue yamlValue) {
    return yamlValue.items().stream().flatMap(item -> hold(item).stream()).toList();
  }

  private Optional<LegalHold> hold(YamlValue item) {
    Optional<StrictMapping> keys = item.keys("name", "call", "principal", "since", "until");
    Optional<String> name = keys.flatMap(it -> it.require("name", HINT)).flatMap(it -> name(it));
    if (keys.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    @Nullable UUID call = keys.get().get("call").flatMap(LegalHoldReader::call).orElse(null);
    @Nullable String principal = keys.get().get("principal").flatMap(YamlValue::text).orElse(null);
    @Nullable LocalDate since = keys.get().get("since").flatMap(LegalHoldReader::day).orElse(null);
    @Nullable LocalDate until = keys.get().get("until").flatMap(LegalHoldReader::day).orElse(null);
    requireTarget(item, keys.get());
    if (since != null && until != null && until.isBefore(since)) {
      item.mistake("has an 'until' before its 'since'");
    }
    return Optional.of(new LegalHold(name.get(), call, principal, since, until));
  }

  private Optional<String> name(YamlValue yamlValue) {
    Optional<String> name = yamlValue.text();
    name.filter(it -> !names.add(it))
        .ifPresent(_ -> yamlValue.mistake("is the name of another legal hold: choose another"));
    return name;
  }

  private static void requireTarget(YamlValue item, StrictMapping keys) {
    boolean ofCall = keys.get("call").isPresent();
    boolean ofDays =
        keys.get("principal").isPresent()
            || keys.get("since").isPresent()
            || keys.get("until").isPresent();
    if (ofCall == ofDays) {
      item.mistake("must have either 'call', or 'principal', 'since' or 'until'");
    }
  }

  private static Optional<UUID> call(YamlValue yamlValue) {
    Optional<String> text = yamlValue.text();
    try {
      return text.map(UUID::fromString);
    } catch (IllegalArgumentException _) {
      yamlValue.mistake("must be the id of a call, as lookup shows it");
      return Optional.empty();
    }
  }

  private static Optional<LocalDate> day(YamlValue yamlValue) {
    Optional<String> text = yamlValue.text();
    try {
      return text.map(LocalDate::parse);
    } catch (DateTimeException _) {
      yamlValue.mistake("must be a day in UTC, as in 2026-01-31");
      return Optional.empty();
    }
  }
}
