package gatebook.api.a2a.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aRequest.ListTasks;
import gatebook.api.a2a.message.AgentTaskJson;
import gatebook.api.a2a.message.NamedIds;
import gatebook.api.a2a.upstream.AgentTaskLists.HeldTask;
import gatebook.api.a2a.upstream.AgentTaskLists.HeldTasks;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.rules.Rules;
import gatebook.query.calls.CallTaskCursor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Held messages among the tasks of an agent: times are seconds, and the latest is the first. */
final class AgentTaskPagesTest {
  private final List<String> asked = new ArrayList<>();

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "9 7 5 3 1, 8 6 4 2",
        "9 8 7, 3 2 1",
        "3 2 1, 9 8 7",
        "5, 9 8 7 6 4 3 2 1",
        "9 8 7 6 4 3 2 1, 5",
        "9 8 7, -",
        "-, 9 8 7",
        "-, -"
      })
  void everyPageSizeHasEachTaskOnceInOrder(@Nullable String agents, @Nullable String helds) {
    List<Integer> times =
        Stream.concat(times(agents).stream(), times(helds).stream())
            .sorted((a, b) -> b - a)
            .toList();
    for (int size = 1; size <= 10; size++) {
      assertThat(pages(times(agents), times(helds), size)).as("%d", size).isEqualTo(times);
    }
  }

  @Test
  void agentIsAskedOncePerPageWithoutHeldMessages() {
    pages(List.of(3, 2, 1), List.of(), 2);

    assertThat(asked)
        .containsExactly("{\"pageSize\":2}", "{\"pageSize\":2,\"pageToken\":\"after-2\"}");
  }

  /** A token of an agent that looks like one of the gateway reaches the agent as it was. */
  @Test
  void tokenOfTheAgentIsItsOwn() {
    for (String token : List.of("t", "held:none:from:t", "held:first:none:", "")) {
      AgentPageToken page = new AgentPageToken(false, Optional.empty(), true, token);
      assertThat(AgentPageToken.of(page.text()).agentToken()).isEqualTo(token);
    }
    assertThat(new AgentPageToken(false, Optional.empty(), false, "").text()).isEmpty();
  }

  private static List<Integer> times(@Nullable String texts) {
    return texts == null ? List.of() : Stream.of(texts.split(" ")).map(Integer::valueOf).toList();
  }

  /** The times of the tasks on all pages, none of which has more than there may be. */
  private List<Integer> pages(List<Integer> agents, List<Integer> helds, int size) {
    List<Integer> listed = new ArrayList<>();
    String token = "";
    do {
      ListTasks request = new ListTasks(null, null, null, size, token, null, false);
      String params =
          token.isEmpty()
              ? "{\"pageSize\":%d}".formatted(size)
              : "{\"pageSize\":%d,\"pageToken\":\"%s\"}".formatted(size, token);
      Response response =
          new AgentTaskPages(
                  "planner",
                  TestOwners.of(
                          _ ->
                              CompletableFuture.completedFuture(
                                  new GetAgentTaskOwner.Result(true, false)),
                          new A2aMeters(new SimpleMeterRegistry()))
                      .of("joe", Rules.NONE),
                  after -> held(helds, after, size),
                  new IdMapping(
                      new VersionedMethod(A2aMethod.LIST, A2aVersion.V1_0),
                      NamedIds.of(params),
                      Optional.empty()),
                  call -> agent(agents, call))
              .page(new Call("1", "ListTasks", params, false, Map.of()), request)
              .join();
      ObjectMembers page = ObjectMembers.of(((Ended.Result) response).json());
      List<String> tasks = page.json("tasks").flatMap(ArrayElements::of).orElseThrow();
      assertThat(tasks).hasSizeLessThanOrEqualTo(size);
      tasks.forEach(
          task -> listed.add(Integer.valueOf(ObjectMembers.of(task).text("id").orElseThrow())));
      token = page.text("nextPageToken").orElseThrow();
    } while (!token.isEmpty());
    return listed;
  }

  private static CompletableFuture<HeldTasks> held(
      List<Integer> times, Optional<CallTaskCursor> after, int size) {
    List<Integer> left =
        times.stream()
            .filter(time -> after.isEmpty() || time < after.get().changedNanos())
            .toList();
    return CompletableFuture.completedFuture(
        new HeldTasks(
            left.stream()
                .limit(size)
                .map(time ->
                    new HeldTask(
                        String.valueOf(time),
                        "{\"id\":\"%d\"}".formatted(time),
                        Instant.ofEpochSecond(time),
                        new CallTaskCursor(time, time)))
                .toList(),
            left.size() > size,
            null));
  }

  /** A page from the token on, of the size that is asked for. */
  private CompletableFuture<Response> agent(List<Integer> times, Call call) {
    String params = Optional.ofNullable(call.params()).orElseThrow();
    asked.add(params);
    ObjectMembers members = ObjectMembers.of(params);
    int size = Integer.parseInt(members.json("pageSize").orElseThrow());
    String token = members.text("pageToken").orElse("after-99").substring("after-".length());
    List<Integer> left = times.stream().filter(time -> time < Integer.parseInt(token)).toList();
    List<String> tasks =
        left.stream()
            .limit(size)
            .map(time ->
                "{\"id\":\"%d\",\"status\":{\"timestamp\":\"%s\"}}"
                    .formatted(time, Instant.ofEpochSecond(time)))
            .toList();
    String next = left.size() > size ? "after-" + left.get(size - 1) : "";
    return CompletableFuture.completedFuture(
        new Ended.Result(
            AgentTaskJson.page(tasks, next, String.valueOf(size), times.size()), false));
  }
}
