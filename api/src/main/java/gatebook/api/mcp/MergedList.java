package gatebook.api.mcp;

import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.FutureList;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.rules.Source;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A list that is merged from all pages of several sources, one source after the other. If a source
 * cannot be asked, the list is marked as partial; if no source answers, the result is the first
 * failure.
 *
 * @param member the member of a page that has its items
 * @param isLenient whether a page without items has none, and a list without end is cut: else
 *     neither is a list
 * @param shown the items of a source that the caller gets
 */
record MergedList(
    String method,
    String member,
    boolean isLenient,
    BiFunction<Source, List<String>, List<String>> shown) {

  /** The most pages of one source. */
  static final int PAGES_MAX = 100;

  /** The list for a request with these params, as one page. */
  CompletableFuture<Ended> of(
      List<Source> sources, ObjectMembers params, AnswerContext answerContext) {
    String meta = params.json("_meta").map("{\"_meta\":%s}"::formatted).orElse(null);
    return FutureList.all(
            sources.stream()
                .map(source -> new Pages(source, meta, answerContext).next(meta, 1))
                .toList())
        .thenApply(lists -> merged(sources, lists));
  }

  private Ended merged(List<Source> sources, List<Ended> lists) {
    List<String> items = new ArrayList<>();
    MissingSources missing = new MissingSources();
    for (int i = 0; i < lists.size(); i++) {
      Ended list = lists.get(i);
      if (list instanceof Ended.Result(var json, _, _)) {
        items.addAll(items(ObjectMembers.of(json)).orElse(List.of()));
      }
      missing.add(sources.get(i), list);
    }
    boolean anyAnswered =
        lists.isEmpty() || lists.stream().anyMatch(Ended.Result.class::isInstance);
    return anyAnswered ? missing.answer(json(items)) : lists.getFirst();
  }

  private Optional<List<String>> items(ObjectMembers page) {
    return page.json(member).flatMap(ArrayElements::of);
  }

  private String json(List<String> items) {
    return "{\"%s\":[%s]}".formatted(member, String.join(",", items));
  }

  static Ended noList(Source source, String member) {
    return new Ended.Failure(
        new UpstreamError(source.id(), null, "no list of " + member, null, null));
  }

  /** Reads all pages of one source. */
  private final class Pages {
    private final Source source;
    private final @Nullable String meta;
    private final AnswerContext answerContext;
    private final List<String> all = new ArrayList<>();

    Pages(Source source, @Nullable String meta, AnswerContext answerContext) {
      this.source = source;
      this.meta = meta;
      this.answerContext = answerContext;
    }

    CompletableFuture<Ended> next(@Nullable String params, int number) {
      return answerContext
          .sources()
          .send(source, method, params)
          .thenCompose(page ->
              page instanceof Ended.Result(var json, _, _)
                  ? after(ObjectMembers.of(json), number)
                  : CompletableFuture.completedFuture(page));
    }

    private CompletableFuture<Ended> after(ObjectMembers page, int number) {
      Optional<List<String>> items = items(page);
      Optional<String> cursor = page.json("nextCursor");
      boolean isEndless = cursor.isPresent() && number == PAGES_MAX;
      if (!isLenient && (items.isEmpty() || isEndless)) {
        return CompletableFuture.completedFuture(noList(source, member));
      }
      items.ifPresent(found -> all.addAll(shown.apply(source, found)));
      return cursor.isEmpty() || isEndless
          ? CompletableFuture.completedFuture(new Ended.Result(json(all), false))
          : next(after(cursor.get()), number + 1);
    }

    private String after(String cursor) {
      return meta == null
          ? "{\"cursor\":%s}".formatted(cursor)
          : "{\"cursor\":%s,%s".formatted(cursor, meta.substring(1));
    }
  }
}
