package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.RulesActivated.PolicyText;
import java.io.ByteArrayInputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The texts that rules were read from, as the journal records them: as written, with variables
 * replaced and secrets masked.
 *
 * @param hash over the same texts with their secrets
 */
public record RulesTexts(
    String hash, String rules, List<PolicyText> policies, @Nullable String schema) {
  public RulesTexts {
    policies = List.copyOf(policies);
  }

  /** A folder that contains the policies and the schema. */
  RulesFolder folder() {
    return name ->
        policies.stream()
            .filter(it -> it.file().equals(name))
            .map(PolicyText::text)
            .findFirst()
            .or(() -> Optional.ofNullable(schema)) // the name of the schema is not recorded
            .map(text -> new ByteArrayInputStream(text.getBytes(UTF_8)))
            .orElseThrow(() -> new NoSuchFileException(name));
  }
}
