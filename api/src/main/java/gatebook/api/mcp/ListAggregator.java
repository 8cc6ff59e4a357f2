package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.gateway.DialectHandler.Setting;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.NameRewrite;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.Sight;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Fault;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the sources have, in the order of the rules, each by the name it is called here, and nothing
 * that gate 1 hides.
 *
 * <p>One source's list goes page by page as the source gives it. Those of several become one page:
 * all of each source's, one source after the other. A source that has none gives nothing; without
 * one that cannot be asked the page says that it is partial, unless nobody gives anything.
 */
public enum ListAggregator {
  TOOLS("tools/list", "tools", "name"),
  RESOURCES("resources/list", "resources", "uri"),
  TEMPLATES("resources/templates/list", "resourceTemplates", "uriTemplate"),
  PROMPTS("prompts/list", "prompts", "name");

  /** More pages than this are no list that anybody could use. */
  static final int PAGES_MAX = 100;

  private final String method;
  private final String member;
  private final String name;

  ListAggregator(String method, String member, String name) {
    this.method = method;
    this.member = member;
    this.name = name;
  }

  /** That which a method asks for; none when it asks for none. */
  public static Optional<ListAggregator> of(String method) {
    return Stream.of(values()).filter(one -> one.method.equals(method)).findFirst();
  }

  /** What the caller is shown of it. */
  public CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    String params = asking.params();
    List<Source> sources = sources(setting.ground().rules());
    return sources.size() == 1
        ? page(sources.getFirst(), params, setting)
            .thenApply(page -> shown(sources, page, setting))
            .thenApply(page -> offered(asking, page))
        : all(sources, params, setting)
            .thenApply(list ->
                StatelessRequest.isStateless(asking)
                    ? StatelessMeta.complete(method, list)
                    : offered(asking, list));
  }

  /** Only the older revisions say of a tool whether it may become a task. */
  private Ended offered(Asking asking, Ended list) {
    return this == TOOLS && !StatelessRequest.isStateless(asking)
        ? TaskCapabilities.tools(list, asking.rules())
        : list;
  }

  /** Those that may have anything, in their order. */
  static List<Source> sources(Rules rules) {
    return rules.sources().stream()
        .filter(source -> source.enabled() && SourceFamily.TOOLS.has(source.kind()))
        .toList();
  }

  private CompletableFuture<Ended> page(Source source, @Nullable String params, Setting setting) {
    return setting.sources().ask(source, method, params);
  }

  private Ended shown(List<Source> sources, Ended page, Setting setting) {
    return page instanceof Ended.Result(var json, _, _)
        ? filtered(sources.getFirst(), json, setting.ground().rules())
        : page;
  }

  private Ended filtered(Source source, String json, Rules rules) {
    ObjectMembers page = ObjectMembers.of(json);
    Optional<List<String>> items = page.json(member).flatMap(ArrayElements::of);
    if (items.isEmpty()) {
      return none(source);
    }
    List<String> shown = shown(source, items.get(), rules);
    return new Ended.Result(
        shown.equals(items.get()) ? json : with(page, shown, shown.size() < items.get().size()),
        false);
  }

  /** Everything else on the page stays; what is left out for one caller is for nobody else. */
  private String with(ObjectMembers page, List<String> shown, boolean fewer) {
    StringJoiner all = new StringJoiner(",", "{", "}");
    page.forEach((key, value) ->
        all.add(
            quoted(key)
                + ":"
                + (key.equals(member)
                    ? array(shown)
                    : fewer && key.equals("cacheScope") ? "\"private\"" : value)));
    return all.toString();
  }

  private CompletableFuture<Ended> all(
      List<Source> sources, @Nullable String params, Setting setting) {
    String meta =
        ObjectMembers.of(params).json("_meta").map("{\"_meta\":%s}"::formatted).orElse(null);
    List<CompletableFuture<Ended>> asked =
        sources.stream().map(source -> whole(source, meta, setting)).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            _ -> merged(sources, asked.stream().map(CompletableFuture::join).toList(), setting));
  }

  private Ended merged(List<Source> sources, List<Ended> lists, Setting setting) {
    List<String> items = new ArrayList<>();
    MissingSources missing = new MissingSources(method, setting.callId());
    for (int i = 0; i < lists.size(); i++) {
      Ended list = lists.get(i);
      if (list instanceof Ended.Result(var json, _, _)) {
        ObjectMembers.of(json).json(member).flatMap(ArrayElements::of).ifPresent(items::addAll);
      }
      missing.add(sources.get(i), list);
    }
    boolean anybody = lists.isEmpty() || lists.stream().anyMatch(Ended.Result.class::isInstance);
    return anybody
        ? missing.answer("{%s:%s}".formatted(quoted(member), array(items)))
        : lists.getFirst();
  }

  /** All that one source shows, as one page. */
  private CompletableFuture<Ended> whole(Source source, @Nullable String meta, Setting setting) {
    return more(source, meta, meta, setting, new ArrayList<>(), 1);
  }

  private CompletableFuture<Ended> more(
      Source source,
      @Nullable String meta,
      @Nullable String params,
      Setting setting,
      List<String> items,
      int pages) {
    return page(source, params, setting)
        .thenCompose(page -> {
          if (!(page instanceof Ended.Result(var json, _, _))) {
            return CompletableFuture.completedFuture(page);
          }
          ObjectMembers objectMembers = ObjectMembers.of(json);
          Optional<List<String>> found = objectMembers.json(member).flatMap(ArrayElements::of);
          if (found.isEmpty() || pages > PAGES_MAX) {
            return CompletableFuture.completedFuture(none(source));
          }
          items.addAll(shown(source, found.get(), setting.ground().rules()));
          Optional<String> next = objectMembers.json("nextCursor");
          return next.isEmpty()
              ? CompletableFuture.completedFuture(
                  new Ended.Result("{%s:%s}".formatted(quoted(member), array(items)), false))
              : more(source, meta, after(next.get(), meta), setting, items, pages + 1);
        });
  }

  private static String after(String cursor, @Nullable String meta) {
    return meta == null
        ? "{\"cursor\":%s}".formatted(cursor)
        : "{\"cursor\":%s,%s".formatted(cursor, meta.substring(1));
  }

  private List<String> shown(Source source, List<String> items, Rules rules) {
    return items.stream().flatMap(item -> named(source, item, rules)).toList();
  }

  /** What has no name is shown to nobody: gate 1 could not hide it. */
  private Stream<String> named(Source source, String item, Rules rules) {
    return ObjectMembers.of(item).text(name).stream()
        .filter(own ->
            VisibilityGate.of(source.prefix() + own, SourceFamily.TOOLS, rules)
                    instanceof Sight.Shown(var answering, _)
                && answering.equals(source))
        .map(own ->
            source.prefix().isEmpty()
                ? item
                : NameRewrite.renamed(item, name, source.prefix() + own));
  }

  private Ended none(Source source) {
    Fault fault = new UpstreamError(source.id(), null, "no list of " + member, null, null);
    return new Ended.Failure(fault);
  }

  private static String array(List<String> items) {
    return "[" + String.join(",", items) + "]";
  }
}
