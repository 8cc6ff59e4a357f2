package gatebook.api.mcp;

import static gatebook.api.rpc.Quoted.quoted;

import gatebook.api.border.Methods.Asking;
import gatebook.api.border.Methods.Setting;
import gatebook.api.rpc.Elements;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Renaming;
import gatebook.api.upstream.Stateless;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.gate.Family;
import gatebook.command.gate.Visibility;
import gatebook.command.gate.Visibility.Sight;
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
public enum Catalogue {
  TOOLS("tools/list", "tools", "name"),
  RESOURCES("resources/list", "resources", "uri"),
  TEMPLATES("resources/templates/list", "resourceTemplates", "uriTemplate"),
  PROMPTS("prompts/list", "prompts", "name");

  /** More pages than this are no list that anybody could use. */
  static final int PAGES_MAX = 100;

  private final String method;
  private final String member;
  private final String name;

  Catalogue(String method, String member, String name) {
    this.method = method;
    this.member = member;
    this.name = name;
  }

  /** That which a method asks for; none when it asks for none. */
  public static Optional<Catalogue> of(String method) {
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
                Era.isStateless(asking) ? Stateless.complete(method, list) : offered(asking, list));
  }

  /** Only the older revisions say of a tool whether it may become a task. */
  private Ended offered(Asking asking, Ended list) {
    return this == TOOLS && !Era.isStateless(asking)
        ? TaskOffers.tools(list, asking.rules())
        : list;
  }

  /** Those that may have anything, in their order. */
  static List<Source> sources(Rules rules) {
    return rules.sources().stream()
        .filter(source -> source.enabled() && Family.TOOLS.has(source.kind()))
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
    Members page = Members.of(json);
    Optional<List<String>> items = page.json(member).flatMap(Elements::of);
    if (items.isEmpty()) {
      return none(source);
    }
    List<String> shown = shown(source, items.get(), rules);
    return new Ended.Result(
        shown.equals(items.get()) ? json : with(page, shown, shown.size() < items.get().size()),
        false);
  }

  /** Everything else on the page stays; what is left out for one caller is for nobody else. */
  private String with(Members page, List<String> shown, boolean fewer) {
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
    String meta = Members.of(params).json("_meta").map("{\"_meta\":%s}"::formatted).orElse(null);
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
        Members.of(json).json(member).flatMap(Elements::of).ifPresent(items::addAll);
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
          Members members = Members.of(json);
          Optional<List<String>> found = members.json(member).flatMap(Elements::of);
          if (found.isEmpty() || pages > PAGES_MAX) {
            return CompletableFuture.completedFuture(none(source));
          }
          items.addAll(shown(source, found.get(), setting.ground().rules()));
          Optional<String> next = members.json("nextCursor");
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
    return Members.of(item).text(name).stream()
        .filter(own ->
            Visibility.of(source.prefix() + own, Family.TOOLS, rules)
                    instanceof Sight.Shown(var answering, _)
                && answering.equals(source))
        .map(own ->
            source.prefix().isEmpty() ? item : Renaming.renamed(item, name, source.prefix() + own));
  }

  private Ended none(Source source) {
    Fault fault = new UpstreamError(source.id(), null, "no list of " + member, null, null);
    return new Ended.Failure(fault);
  }

  private static String array(List<String> items) {
    return "[" + String.join(",", items) + "]";
  }
}
