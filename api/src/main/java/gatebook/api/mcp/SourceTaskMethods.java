package gatebook.api.mcp;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.gateway.DialectHandler.Setting;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What callers want of the tasks that sources made: each is its source's to answer for, and the
 * caller's for whom it was made. Where there is one source, and callers cannot be told apart,
 * whoever knows a task's id may ask.
 */
final class SourceTaskMethods {

  private static final String ID = "taskId";
  private static final String LIST = "tasks/list";
  private static final String CALL = "tools/call";

  private final SourceTaskOwners known = new SourceTaskOwners();

  boolean knows(String method) {
    return method.equals(LIST) || TaskMethods.isAboutOne(method);
  }

  /** Remembers a task that a call ended in, before its caller knows of it. */
  void ended(Asking asking, Source source, String principal, Ended ended) {
    if (asking.method().equals(CALL)) {
      SourceTaskOwners.made(ended)
          .ifPresent(task ->
              known.add(principal, task, source.id(), asking.rules().limits().sourceTasksMax()));
    }
  }

  boolean isOf(String principal, String taskId, String source) {
    return known.isOf(principal, taskId, source);
  }

  /** Whether a task's id is all that somebody has to know. */
  static boolean isAnybodys(Rules rules) {
    return rules.principals().isEmpty() && ListAggregator.sources(rules).size() == 1;
  }

  CompletableFuture<Ended> answer(Asking asking, Setting setting) {
    Rules rules = setting.ground().rules();
    if (isAnybodys(rules)) {
      return ask(ListAggregator.sources(rules).getFirst(), asking, setting);
    }
    return asking.method().equals(LIST) ? listed(asking, setting) : one(asking, setting);
  }

  private CompletableFuture<Ended> one(Asking asking, Setting setting) {
    Optional<String> task = asking.members().text(ID);
    if (task.isEmpty() || LookalikeCheck.isDisguised(asking.members(), ID)) {
      return failed(new InvalidParams(List.of(new Problem(ID, null, "a string", null, List.of()))));
    }
    return known
        .source(setting.principal(), task.get())
        .flatMap(id -> source(id, setting.ground().rules()))
        .map(source -> ask(source, asking, setting))
        .orElseGet(() -> failed(new TaskNotFound(TaskMethods.shortened(task.get()))));
  }

  private static Optional<Source> source(String id, Rules rules) {
    return ListAggregator.sources(rules).stream().filter(it -> it.id().equals(id)).findFirst();
  }

  private static CompletableFuture<Ended> ask(Source source, Asking asking, Setting setting) {
    return setting
        .sources()
        .ask(source, asking.method(), asking.params())
        .thenApply(answer -> TaskMethods.unknown(asking, answer));
  }

  /** The caller's, of every source; a source that lists none takes nothing from the others. */
  private CompletableFuture<Ended> listed(Asking asking, Setting setting) {
    String meta = asking.members().json("_meta").map("{\"_meta\":%s}"::formatted).orElse(null);
    List<Source> sources = ListAggregator.sources(setting.ground().rules());
    List<CompletableFuture<Ended>> lists =
        sources.stream().map(source -> new Pages(source, meta, setting).next(meta, 1)).toList();
    return CompletableFuture.allOf(lists.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            _ -> merged(sources, lists.stream().map(CompletableFuture::join).toList(), setting));
  }

  private static Ended merged(List<Source> sources, List<Ended> lists, Setting setting) {
    List<String> tasks = new ArrayList<>();
    MissingSources missing = new MissingSources(LIST, setting.callId());
    for (int i = 0; i < lists.size(); i++) {
      tasks.addAll(tasks(lists.get(i)).orElse(List.of()));
      missing.add(sources.get(i), lists.get(i));
    }
    boolean isNone = !lists.isEmpty() && lists.stream().noneMatch(Ended.Result.class::isInstance);
    return isNone
        ? lists.getFirst()
        : missing.answer("{\"tasks\":[%s]}".formatted(String.join(",", tasks)));
  }

  private static Optional<List<String>> tasks(Ended list) {
    return list instanceof Ended.Result(var json, _, _)
        ? ObjectMembers.of(json).json("tasks").flatMap(ArrayElements::of)
        : Optional.empty();
  }

  /** All that one source lists, of which the caller's are kept. */
  private final class Pages {
    private final Source source;
    private final @Nullable String meta;
    private final Setting setting;
    private final List<String> own = new ArrayList<>();

    Pages(Source source, @Nullable String meta, Setting setting) {
      this.source = source;
      this.meta = meta;
      this.setting = setting;
    }

    CompletableFuture<Ended> next(@Nullable String params, int page) {
      return setting
          .sources()
          .ask(source, LIST, params)
          .thenCompose(list -> {
            tasks(list).ifPresent(tasks -> tasks.stream().filter(this::isOwn).forEach(own::add));
            Optional<String> cursor = cursor(list);
            return cursor.isPresent() && page < ListAggregator.PAGES_MAX
                ? next(
                    MemberSplice.with(meta == null ? "{}" : meta, List.of("cursor"), cursor.get()),
                    page + 1)
                : CompletableFuture.completedFuture(list instanceof Ended.Result ? all() : list);
          });
    }

    private static Optional<String> cursor(Ended list) {
      return list instanceof Ended.Result(var json, _, _)
          ? ObjectMembers.of(json).json("nextCursor")
          : Optional.empty();
    }

    private Ended all() {
      return new Ended.Result("{\"tasks\":[%s]}".formatted(String.join(",", own)), false);
    }

    private boolean isOwn(String task) {
      return ObjectMembers.of(task)
          .text(ID)
          .filter(id -> known.isOf(setting.principal(), id, source.id()))
          .isPresent();
    }
  }

  private static CompletableFuture<Ended> failed(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }
}
