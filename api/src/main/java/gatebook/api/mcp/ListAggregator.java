package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.NameRewrite;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates the lists of all sources in the order of the rules, with the names that callers use
 * and without what gate 1 hides.
 *
 * <p>The list of a single source is passed on page by page. Those of several sources become one
 * page, one source after the other. A source without such a list adds nothing. If a source cannot
 * be asked, the page is marked as partial; if no source answers, the result is the first failure.
 */
public enum ListAggregator {
  TOOLS(McpMethod.TOOLS_LIST, "tools", "name"),
  RESOURCES(McpMethod.RESOURCES_LIST, "resources", "uri"),
  TEMPLATES(McpMethod.RESOURCES_TEMPLATES_LIST, "resourceTemplates", "uriTemplate"),
  PROMPTS(McpMethod.PROMPTS_LIST, "prompts", "name");

  private final String method;
  private final String member;
  private final String name;

  ListAggregator(String method, String member, String name) {
    this.method = method;
    this.member = member;
    this.name = name;
  }

  /** The list that a method requests; empty for other methods. */
  public static Optional<ListAggregator> of(String method) {
    return Stream.of(values()).filter(one -> one.method.equals(method)).findFirst();
  }

  /** The list as the caller may see it. */
  public CompletableFuture<Ended> answer(DialectCall dialectCall, AnswerContext answerContext) {
    String params = dialectCall.params();
    List<Source> sources = sources(answerContext.snapshot().rules());
    return sources.size() == 1
        ? fetchPage(sources.getFirst(), params, answerContext)
            .thenApply(page -> shown(sources, page, answerContext))
            .thenApply(page -> withTaskSupport(dialectCall, page))
        : mergeAll(sources, params, answerContext)
            .thenApply(list ->
                StatelessRequest.isStateless(dialectCall)
                    ? StatelessMeta.complete(method, list)
                    : withTaskSupport(dialectCall, list));
  }

  /** The whole list of all sources, as one page. */
  public CompletableFuture<Ended> merged(AnswerContext answerContext) {
    return mergeAll(sources(answerContext.snapshot().rules()), null, answerContext);
  }

  /** Adds task support to tools, which only the older revisions declare per tool. */
  private Ended withTaskSupport(DialectCall dialectCall, Ended list) {
    return this == TOOLS && !StatelessRequest.isStateless(dialectCall)
        ? TaskCapabilities.tools(list, dialectCall.rules())
        : list;
  }

  /** The enabled sources that may have such a list, in the order of the rules. */
  static List<Source> sources(Rules rules) {
    return rules.sources().stream()
        .filter(source -> source.enabled() && SourceFamily.TOOLS.includes(source.kind()))
        .toList();
  }

  private CompletableFuture<Ended> fetchPage(
      Source source, @Nullable String params, AnswerContext answerContext) {
    return answerContext.sources().send(source, method, params);
  }

  private Ended shown(List<Source> sources, Ended page, AnswerContext answerContext) {
    return page instanceof Ended.Result(var json, _, _)
        ? filtered(sources.getFirst(), json, answerContext.snapshot().rules())
        : page;
  }

  private Ended filtered(Source source, String json, Rules rules) {
    ObjectMembers page = ObjectMembers.of(json);
    Optional<List<String>> items = page.json(member).flatMap(ArrayElements::of);
    if (items.isEmpty()) {
      return MergedList.noList(source, member);
    }
    List<String> shown = shown(source, items.get(), rules);
    return new Ended.Result(
        shown.equals(items.get()) ? json : with(page, shown, shown.size() < items.get().size()),
        false);
  }

  /** Keeps the rest of the page; a page with hidden items must not be cached for other callers. */
  private String with(ObjectMembers page, List<String> shown, boolean fewer) {
    StringJoiner all = new StringJoiner(",", "{", "}");
    page.forEach((key, value) ->
        all.add(
            quoted(key)
                + ":"
                + (key.equals(member)
                    ? "[%s]".formatted(String.join(",", shown))
                    : fewer && key.equals("cacheScope") ? "\"private\"" : value)));
    return all.toString();
  }

  private CompletableFuture<Ended> mergeAll(
      List<Source> sources, @Nullable String params, AnswerContext answerContext) {
    return new MergedList(
            method,
            member,
            false,
            (source, items) -> shown(source, items, answerContext.snapshot().rules()))
        .of(sources, ObjectMembers.of(params), answerContext);
  }

  private List<String> shown(Source source, List<String> items, Rules rules) {
    return items.stream().flatMap(item -> visible(source, item, rules)).toList();
  }

  /**
   * The item with the callers' name. An item without a name is left out: gate 1 cannot decide it.
   */
  private Stream<String> visible(Source source, String item, Rules rules) {
    return ObjectMembers.of(item).text(name).stream()
        .filter(own ->
            VisibilityGate.evaluate(source.prefix() + own, SourceFamily.TOOLS, rules)
                    instanceof VisibilityResult.Shown(var answering, _)
                && answering.equals(source))
        .map(own ->
            source.prefix().isEmpty()
                ? item
                : NameRewrite.renamed(item, name, source.prefix() + own));
  }
}
