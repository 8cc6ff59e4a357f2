package gatebook.command.rules;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which holders of an issuer's tokens may call, and as whom.
 *
 * @param groups of which one is needed; empty when everybody may call for whom a token is issued
 * @param scopes all of which a token needs
 * @param roles of a principal, by its group
 * @param attributes of a principal, each with the claim that has its value
 */
public record CallerTerms(
    Set<String> groups,
    Set<String> scopes,
    Map<String, List<String>> roles,
    Map<String, String> attributes) {
  public CallerTerms {
    groups = Set.copyOf(groups);
    scopes = Set.copyOf(scopes);
    roles = Map.copyOf(roles);
    attributes = Map.copyOf(attributes);
  }
}
