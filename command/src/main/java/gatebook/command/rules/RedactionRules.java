package gatebook.command.rules;

import java.util.List;

/**
 * What is taken out of texts and arguments beyond what looks like a secret by itself.
 *
 * @param fields names of members whose values are never kept, whatever they look like
 * @param identities whether what looks like an e-mail address is taken out
 * @param environment names of environment variables whose values are taken out
 */
public record RedactionRules(List<String> fields, boolean identities, List<String> environment) {
  public static final RedactionRules DEFAULT = new RedactionRules(List.of(), false, List.of());

  public RedactionRules {
    fields = List.copyOf(fields);
    environment = List.copyOf(environment);
  }
}
