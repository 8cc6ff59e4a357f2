package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.mcp.McpSession.SourceOpening;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.command.rules.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Builds the results of {@code initialize} and {@code server/discover}. The result of a single
 * source is passed on unchanged; the capabilities of several are merged, with the oldest revision
 * that one of them supports.
 */
final class InitializeResults {

  private static final String VERSION = "protocolVersion";
  private static final String CAPABILITIES = "capabilities";
  private static final String INSTRUCTIONS = "instructions";

  private final String version;

  /** {@code version} is that of Gatebook, as sent to clients. */
  InitializeResults(String version) {
    this.version = version;
  }

  /** The result without the sources that failed; a failure when all sources failed. */
  Ended of(List<SourceOpening> openings, String params) {
    List<String> results =
        openings.stream()
            .flatMap(it ->
                it.opening() instanceof Opening.Opened(var session)
                    ? Stream.of(session.initializeResult())
                    : Stream.empty())
            .toList();
    if (results.size() == 1 && openings.size() == 1) {
      return new Ended.Result(results.getFirst(), false);
    }
    Optional<SourceOpening> failed =
        openings.stream().filter(it -> it.opening() instanceof Opening.Failed).findFirst();
    boolean allFailed = openings.stream().allMatch(it -> it.opening() instanceof Opening.Failed);
    return allFailed && failed.isPresent()
        ? failure(failed.get())
        : missing(openings).answer(merged(results, hasSessionless(openings), params));
  }

  private static MissingSources missing(List<SourceOpening> openings) {
    MissingSources missing = new MissingSources();
    openings.stream()
        .filter(it -> it.opening() instanceof Opening.Failed)
        .forEach(it -> missing.add(it.source(), failure(it)));
    return missing;
  }

  private static Ended failure(SourceOpening sourceOpening) {
    return Upstream.ended(
        sourceOpening.source(), ((Opening.Failed) sourceOpening.opening()).response());
  }

  /** Whether a source has no sessions, and therefore cannot declare its tools. */
  private static boolean hasSessionless(List<SourceOpening> openings) {
    return openings.stream().anyMatch(it -> it.opening() instanceof Opening.None);
  }

  /** The result of {@code server/discover} for several sources. */
  Ended discover(List<Source> sources, List<Ended> all) {
    MissingSources missing = new MissingSources();
    for (int i = 0; i < all.size(); i++) {
      missing.add(sources.get(i), all.get(i));
    }
    List<String> results =
        all.stream()
            .flatMap(one ->
                one instanceof Ended.Result(var json, _, _) ? Stream.of(json) : Stream.empty())
            .toList();
    return results.isEmpty() && !all.isEmpty()
        ? all.getFirst()
        : missing.answer(
            StatelessMeta.discoverResult(
                capabilities(results, false),
                "{\"name\":\"gatebook\",\"version\":%s}".formatted(quoted(version)),
                instructions(results)));
  }

  private static Optional<String> instructions(List<String> results) {
    List<String> all =
        results.stream().flatMap(one -> ObjectMembers.of(one).text(INSTRUCTIONS).stream()).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(quoted(String.join("\n\n", all)));
  }

  /** {@code hasSessionless} adds the tools of sources that cannot declare them. */
  private String merged(List<String> results, boolean hasSessionless, String params) {
    StringJoiner all = new StringJoiner(",", "{", "}");
    all.add(quoted(VERSION) + ":" + quoted(revision(results, params)));
    all.add(quoted(CAPABILITIES) + ":" + capabilities(results, hasSessionless));
    all.add("\"serverInfo\":{\"name\":\"gatebook\",\"version\":%s}".formatted(quoted(version)));
    instructions(results).ifPresent(words -> all.add(quoted(INSTRUCTIONS) + ":" + words));
    return all.toString();
  }

  /** The oldest revision; revisions are dates. */
  private static String revision(List<String> results, String params) {
    return results.stream()
        .flatMap(one -> ObjectMembers.of(one).text(VERSION).stream())
        .min(String::compareTo)
        .orElseGet(() ->
            ObjectMembers.of(params)
                .text(VERSION)
                .filter(McpRevisions.NEGOTIATED::contains)
                .orElse(McpRevisions.NEGOTIATED.getFirst()));
  }

  private static String capabilities(List<String> results, boolean hasSessionless) {
    Map<String, String> all = new TreeMap<>();
    if (hasSessionless) {
      all.put("tools", "{}");
    }
    results.forEach(one ->
        ObjectMembers.of(one)
            .members(CAPABILITIES)
            .forEach((name, value) -> all.merge(name, value, InitializeResults::mergedValue)));
    return object(all);
  }

  /** The union of both objects; of two values for one member, the first, unless it is false. */
  private static String mergedValue(String first, String second) {
    if (!first.startsWith("{") || !second.startsWith("{")) {
      return first.equals("false") ? second : first;
    }
    Map<String, String> all = new TreeMap<>();
    List<String> both = new ArrayList<>(List.of(first, second));
    both.forEach(one ->
        ObjectMembers.of(one)
            .forEach((name, value) -> all.merge(name, value, InitializeResults::mergedValue)));
    return object(all);
  }

  private static String object(Map<String, String> members) {
    StringJoiner object = new StringJoiner(",", "{", "}");
    members.forEach((name, value) -> object.add(quoted(name) + ":" + value));
    return object.toString();
  }
}
