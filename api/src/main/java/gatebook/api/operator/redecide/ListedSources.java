package gatebook.api.operator.redecide;

import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.util.List;

/**
 * What rules say about the lists of their sources: which are asked, and what callers see of them.
 */
record ListedSources(List<Listed> sources) {

  private record Listed(
      String id, Source.Kind kind, String prefix, boolean isEnabled, ExposeRules expose) {}

  static ListedSources of(Rules rules) {
    return new ListedSources(
        rules.sources().stream()
            .map(source ->
                new Listed(
                    source.id(), source.kind(), source.prefix(), source.enabled(), source.expose()))
            .toList());
  }
}
