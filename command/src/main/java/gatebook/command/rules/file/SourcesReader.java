package gatebook.command.rules.file;

import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Source;
import gatebook.command.rules.file.SourceReader.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads the section {@code sources} and checks that no two are ambiguous to callers. */
final class SourcesReader {

  private SourcesReader() {}

  static List<Source> read(YamlValue yamlValue, GatewayLimits gatewayLimits) {
    List<Draft> drafts = new ArrayList<>();
    if (yamlValue.isEmptyList()) {
      yamlValue.mistake("must name at least one source, as in [{id: demo, kind: demo}]");
    }
    for (YamlValue item : yamlValue.items()) {
      SourceReader.read(new YamlValue("a source", item.node(), item.report()), gatewayLimits)
          .ifPresent(draft -> {
            drafts.forEach(other -> compare(draft, other));
            drafts.add(draft);
          });
    }
    return drafts.stream().map(Draft::source).toList();
  }

  private static void compare(Draft draft, Draft other) {
    Source source = draft.source();
    if (!source.id().isEmpty() && source.id().equals(other.source().id())) {
      draft.id().mistake("is another source's too: give each an id of its own");
    }
    if (!source.prefix().isEmpty()
        && isAgent(source) == isAgent(other.source())
        && source.prefix().equals(other.source().prefix())) {
      draft.prefix().mistake("is another source's too: give each a prefix of its own");
    }
    if (offerSameNames(source, other.source())) {
      draft
          .value()
          .mistake("would offer the same names as another above: give one of them a prefix");
    }
  }

  /** What is called at an agent is never called at another kind of source. */
  private static boolean isAgent(Source source) {
    return SourceFamily.AGENTS.includes(source.kind());
  }

  private static boolean offerSameNames(Source one, Source two) {
    return one.enabled()
        && two.enabled()
        && one.prefix().isEmpty()
        && two.prefix().isEmpty()
        && Stream.of(SourceFamily.TOOLS, SourceFamily.METHODS)
            .anyMatch(family -> family.includes(one.kind()) && family.includes(two.kind()));
  }
}
