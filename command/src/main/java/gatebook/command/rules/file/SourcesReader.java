package gatebook.command.rules.file;

import gatebook.command.gate.SourceFamily;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Source;
import gatebook.command.rules.file.SourceReader.Draft;
import gatebook.events.call.Exposure;
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
    drafts.forEach(draft -> warnOfHiddenTools(draft, drafts));
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

  private static void warnOfHiddenTools(Draft draft, List<Draft> all) {
    List<String> hiding =
        all.stream()
            .filter(other -> mayHideToolOf(draft.source(), other.source()))
            .map(other -> String.valueOf(draft.value().report().line(other.prefix().node())))
            .toList();
    if (draft.source().enabled() && !hiding.isEmpty()) {
      draft
          .value()
          .warning(
              ("shows callers no tool whose name begins with the prefix in line %s: give it a"
                      + " prefix with which no other begins, or an allowlist")
                  .formatted(YamlValue.listed(hiding, "or")));
    }
  }

  /** Of two prefixes that match a name, the longer one decides whose name it is. */
  private static boolean mayHideToolOf(Source source, Source other) {
    return other.enabled()
        && haveNamesOfOneFamily(source, other)
        && other.prefix().length() > source.prefix().length()
        && other.prefix().startsWith(source.prefix())
        && mayShow(source.expose(), source.ownName(other.prefix()));
  }

  private static boolean mayShow(ExposeRules exposeRules, String beginning) {
    return exposeRules.exposure() != Exposure.ALLOWLIST
        || exposeRules.patterns().stream().anyMatch(it -> it.matchesSomeNameWith(beginning));
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
        && haveNamesOfOneFamily(one, two);
  }

  private static boolean haveNamesOfOneFamily(Source one, Source two) {
    return Stream.of(SourceFamily.TOOLS, SourceFamily.METHODS)
        .anyMatch(family -> family.includes(one.kind()) && family.includes(two.kind()));
  }
}
