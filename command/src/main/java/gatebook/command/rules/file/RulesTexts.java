package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.RulesActivated.PolicyText;
import java.io.ByteArrayInputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What rules were read from, for the journal: as it was written, with the environment's values in
 * their places, and without what is secret.
 *
 * @param hash over the same texts with their secrets
 */
public record RulesTexts(
    String hash, String rules, List<PolicyText> policies, @Nullable String schema) {
  public RulesTexts {
    policies = List.copyOf(policies);
  }

  /** The files that the rules name, as far as they are policies or the schema. */
  RulesFolder folder() {
    return name ->
        policies.stream()
            .filter(it -> it.file().equals(name))
            .map(PolicyText::text)
            .findFirst()
            .or(() -> Optional.ofNullable(schema)) // its name is not kept, and nothing else is left
            .map(text -> new ByteArrayInputStream(text.getBytes(UTF_8)))
            .orElseThrow(() -> new NoSuchFileException(name));
  }
}
