package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.mcp.session.McpSession.Met;
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
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What a client is told when it introduces itself: of one source, its own words; of several, what
 * they can together, in the oldest revision that one of them speaks.
 */
final class InitializeResults {

  private static final String VERSION = "protocolVersion";
  private static final String CAPABILITIES = "capabilities";
  private static final String INSTRUCTIONS = "instructions";

  private final String version;

  /** {@code version} is what clients are told of our own. */
  InitializeResults(String version) {
    this.version = version;
  }

  /** Of sources that could not be asked nothing is said, unless nobody else could be either. */
  Ended of(List<Met> met, String asked, UUID callId) {
    List<String> said =
        met.stream()
            .flatMap(it ->
                it.opening() instanceof Opening.Opened(var session)
                    ? Stream.of(session.introduction())
                    : Stream.empty())
            .toList();
    if (said.size() == 1 && met.size() == 1) {
      return new Ended.Result(said.getFirst(), false);
    }
    Optional<Met> failed =
        met.stream().filter(it -> it.opening() instanceof Opening.Failed).findFirst();
    boolean nobody = met.stream().allMatch(it -> it.opening() instanceof Opening.Failed);
    return nobody && failed.isPresent()
        ? failure(failed.get())
        : missing(met, callId).answer(together(said, isOurs(met), asked));
  }

  private static MissingSources missing(List<Met> met, UUID callId) {
    MissingSources missing = new MissingSources("initialize", callId);
    met.stream()
        .filter(it -> it.opening() instanceof Opening.Failed)
        .forEach(it -> missing.add(it.source(), failure(it)));
    return missing;
  }

  private static Ended failure(Met met) {
    return Upstream.ended(met.source(), ((Opening.Failed) met.opening()).response());
  }

  /** Whether there is one without conversations, which has tools and cannot say so. */
  private static boolean isOurs(List<Met> met) {
    return met.stream().anyMatch(it -> it.opening() instanceof Opening.None);
  }

  /** What sources of the stateless revisions say of themselves, as one. */
  Ended discovered(List<Source> sources, List<Ended> all, UUID callId) {
    MissingSources missing = new MissingSources("server/discover", callId);
    for (int i = 0; i < all.size(); i++) {
      missing.add(sources.get(i), all.get(i));
    }
    List<String> said =
        all.stream()
            .flatMap(one ->
                one instanceof Ended.Result(var json, _, _) ? Stream.of(json) : Stream.empty())
            .toList();
    return said.isEmpty() && !all.isEmpty()
        ? all.getFirst()
        : missing.answer(
            StatelessMeta.discovered(
                capabilities(said, false),
                "{\"name\":\"gatebook\",\"version\":%s}".formatted(quoted(version)),
                instructions(said)));
  }

  private static Optional<String> instructions(List<String> said) {
    List<String> all =
        said.stream().flatMap(one -> ObjectMembers.of(one).text(INSTRUCTIONS).stream()).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(quoted(String.join("\n\n", all)));
  }

  /** {@code ours} is whether there is one that has tools and does not say so. */
  private String together(List<String> said, boolean ours, String asked) {
    StringJoiner all = new StringJoiner(",", "{", "}");
    all.add(quoted(VERSION) + ":" + quoted(revision(said, asked)));
    all.add(quoted(CAPABILITIES) + ":" + capabilities(said, ours));
    all.add("\"serverInfo\":{\"name\":\"gatebook\",\"version\":%s}".formatted(quoted(version)));
    instructions(said).ifPresent(words -> all.add(quoted(INSTRUCTIONS) + ":" + words));
    return all.toString();
  }

  /** Revisions are dates. */
  private static String revision(List<String> said, String asked) {
    return said.stream()
        .flatMap(one -> ObjectMembers.of(one).text(VERSION).stream())
        .min(String::compareTo)
        .orElseGet(() ->
            ObjectMembers.of(asked)
                .text(VERSION)
                .filter(McpRevisions.AGREED::contains)
                .orElse(McpRevisions.AGREED.getFirst()));
  }

  private static String capabilities(List<String> said, boolean ours) {
    Map<String, String> all = new TreeMap<>();
    if (ours) {
      all.put("tools", "{}");
    }
    said.forEach(one ->
        ObjectMembers.of(one)
            .members(CAPABILITIES)
            .forEach((name, value) -> all.merge(name, value, InitializeResults::either)));
    return object(all);
  }

  /** What one of them can is promised; of two values for one thing, the first is. */
  private static String either(String first, String second) {
    if (!first.startsWith("{") || !second.startsWith("{")) {
      return first.equals("false") ? second : first;
    }
    Map<String, String> all = new TreeMap<>();
    List<String> both = new ArrayList<>(List.of(first, second));
    both.forEach(one ->
        ObjectMembers.of(one)
            .forEach((name, value) -> all.merge(name, value, InitializeResults::either)));
    return object(all);
  }

  private static String object(Map<String, String> members) {
    StringJoiner object = new StringJoiner(",", "{", "}");
    members.forEach((name, value) -> object.add(quoted(name) + ":" + value));
    return object.toString();
  }
}
