package gatebook.api.cli.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.CommandRun;
import gatebook.api.cli.FakeOperatorServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class DrawTreeCommandTest {
  private static final String TREE =
      """
      {"treeId":"t1","owner":"ada","rootTaskId":"report","name":"Monthly report",
       "status":"failed","taskCount":4,
       "counts":{"pending":1,"in_progress":1,"completed":1,"failed":1,"cancelled":0},
       "createdAt":"2026-01-02T03:04:05.006Z","durationMillis":2000,"execution":null,
       "tasks":[
        {"taskId":"report","parentId":null,"name":"Monthly report","executor":null,
         "status":"pending","attempt":0,"error":null,"code":null,"callId":null,
         "durationMillis":null,"deletedAt":null,"calls":[]},
        {"taskId":"fetch","parentId":"report","name":"fetch\\u001b[2J","executor":"get_page","origin":null,
         "status":"failed","attempt":2,"error":"no such page","code":-32001,"callId":"c2",
         "durationMillis":12,"deletedAt":null,"calls":[{"callId":"c2"},{"callId":"c1"}]},
        {"taskId":"sum","parentId":"report","name":"sum","executor":"add","status":"completed",
         "attempt":1,"origin":"link to total","error":null,"code":null,"callId":"c3","durationMillis":7,"deletedAt":null,
         "calls":[{"callId":"c3"}]},
        {"taskId":"parse","parentId":"fetch","name":"parse","executor":"parse",
         "status":"in_progress","attempt":1,"error":null,"code":null,"callId":null,
         "durationMillis":null,"deletedAt":null,"calls":[{"callId":"c4"}]},
        {"taskId":"old","parentId":"report","name":"old","executor":"parse","status":"pending",
         "attempt":0,"error":null,"code":null,"callId":null,"durationMillis":null,
         "deletedAt":"2026-01-02T03:04:06Z","calls":[]}]}\
      """;

  @AutoClose private final FakeOperatorServer server = new FakeOperatorServer();

  @Test
  void tasksAreDrawnBelowTheirParents() {
    server.returns(
        "audit.lookup",
        """
        {"calls":[{"callId":"c1"}],"more":false,"trees":[%s],"moreTrees":true}\
        """
            .formatted(TREE));

    assertThat(server.run(new DrawTreeCommand(), " report "))
        .isEqualTo(
            new CommandRun(
                0,
                """
                tree t1 is failed Monthly report
                  by ada at 2026-01-02T03:04:05Z took 2 s
                  4 tasks: 1 pending, 1 in_progress, 1 completed, 1 failed

                task       status       took   attempt  executor  call  origin         name              error
                report     pending      -      -        -         -     -              Monthly report
                  fetch    failed       12 ms  2        get_page  c2    -              fetch⟨U+001B⟩[2J  -32001 no such page
                    parse  in_progress  -      1        parse     c4    -              parse
                  sum      completed    7 ms   1        add       c3    link to total  sum
                  old      deleted      -      -        parse     -     -              old

                and older trees
                """,
                ""));
    assertThat(server.requests()).containsExactly("audit.lookup {\"id\":\"report\"}");
  }

  @Test
  void aRunningTreeShowsWhereItRuns() {
    server.returns(
        "audit.lookup",
        """
        {"calls":[],"more":false,"moreTrees":false,"trees":[
          {"treeId":"t1","owner":"ada","name":"one","status":"in_progress","taskCount":3,
           "counts":{"pending":2,"in_progress":1},"createdAt":"2026-01-02T03:04:05Z",
           "durationMillis":null,"execution":{"executionId":"e1","taskId":"report",
           "node":"a","startedAt":"2026-01-02T03:04:06.5Z"},
           "webhook":{"url":"https://hooks.example.com/a","state":"failed","last":true,
           "attempt":2,"status":503,"reason":"the receiver failed","at":"2026-01-02T03:04:07Z"},
           "tasks":[{"taskId":"report","parentId":null,"status":"in_progress","attempt":1}]}]}\
        """);

    assertThat(server.run(new DrawTreeCommand(), "t1").out())
        .isEqualTo(
            """
            tree t1 is in_progress one
              by ada at 2026-01-02T03:04:05Z runs report on node a since 2026-01-02T03:04:06Z
              3 tasks: 2 pending, 1 in_progress
              webhook https://hooks.example.com/a end failed in attempt 2 with 503 at 2026-01-02T03:04:07Z the receiver failed

            task    status       took  attempt  executor  call  origin  name  error
            report  in_progress  -     1        -         -     -
            and 2 more tasks
            """);
  }

  @Test
  void onlyTreesAreInTheDocument() {
    server.returns(
        "audit.lookup",
        """
        {"calls":[{"callId":"c1"}],"more":false,"trees":[%s],"moreTrees":false}\
        """
            .formatted(TREE));

    CommandRun commandRun = server.run(new DrawTreeCommand(), "t1", "--json");

    assertThat(FakeOperatorServer.document(commandRun).fieldNames())
        .toIterable()
        .containsExactly("trees", "moreTrees");
    assertThat(FakeOperatorServer.document(commandRun).at("/trees/0/tasks")).hasSize(5);
  }

  @Test
  void anUnknownIdIsReported() {
    server.returns(
        "audit.lookup",
        """
        {"calls":[],"more":false,"notFound":{"reason":"never-seen",
         "message":"nothing up to position 3 has this id"}}\
        """);
    assertThat(server.run(new DrawTreeCommand(), "x", "--as-of=2026-01-02T03:04:05Z"))
        .isEqualTo(new CommandRun(1, "not found: nothing up to position 3 has this id\n", ""));
    assertThat(server.requests())
        .containsExactly(
            """
            audit.lookup {"id":"x","asOf":"2026-01-02T03:04:05Z"}\
            """);
  }

  @Test
  void aCallWithoutATreeIsNotDrawn() {
    server.returns("audit.lookup", "{\"calls\":[{\"callId\":\"c1\"}],\"more\":false}");

    assertThat(server.run(new DrawTreeCommand(), "c1"))
        .isEqualTo(new CommandRun(1, "not found: no tree of tasks has this id\n", ""));
  }

  @Test
  void lookupDrawsTreesBelowCalls() {
    server.returns(
        "audit.lookup",
        """
        {"calls":[],"more":false,"trees":[%s],"moreTrees":false}\
        """
            .formatted(TREE));

    CommandRun looked = server.run(new LookupCommand(), "report");

    assertThat(looked).isEqualTo(server.run(new DrawTreeCommand(), "report"));
    assertThat(looked.code()).isZero();
  }

  @Test
  void aFailedRequestIsReported() {
    server.returnsError("audit.lookup", "reading failed");

    assertThat(server.run(new DrawTreeCommand(), "x"))
        .isEqualTo(new CommandRun(1, "", "reading failed\n"));
    assertThat(server.run(new DrawTreeCommand()).code()).isEqualTo(2);
  }
}
