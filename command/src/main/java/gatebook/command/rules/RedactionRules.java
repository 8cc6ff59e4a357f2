package gatebook.command.rules;

import java.util.List;

/**
 * The rules for what is redacted in texts and arguments beyond what looks like a secret by itself.
 *
 * @param fields names of members whose values are always redacted
 * @param identities whether e-mail addresses are redacted
 * @param environment names of environment variables whose values are redacted
 */
public record RedactionRules(List<String> fields, boolean identities, List<String> environment) {
  public static final RedactionRules DEFAULT = new RedactionRules(List.of(), false, List.of());

  public RedactionRules {
    fields = List.copyOf(fields);
    environment = List.copyOf(environment);
  }
}
