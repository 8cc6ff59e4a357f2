package gatebook.api.flow.executor;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.message.Reply;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.tree.SettleTreeTask.Ending;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the answer of a task's tool: its result, or why the task failed. */
final class ToolAnswer {
  private static final String FAILED = "the tool reported an error without a text";

  private ToolAnswer() {}

  static Ending ending(Reply reply) {
    byte[] body = reply.body();
    if (body == null) {
      return new Ending.Failure("the call ended without an answer", null);
    }
    ObjectMembers response = ObjectMembers.of(new String(body, UTF_8));
    return response.json("result").map(ToolAnswer::result).orElseGet(() -> error(response));
  }

  private static Ending error(ObjectMembers response) {
    ObjectMembers error = response.members("error");
    ObjectMembers data = error.members("data");
    String sentence =
        data.text("error")
            .map(failure -> joined(Optional.of(failure), data.text("details")))
            .orElseGet(() -> joined(error.text("message"), data.text("reason")));
    return new Ending.Failure(
        sentence.isEmpty() ? FAILED : sentence,
        error.json("code").map(Integer::valueOf).orElse(null));
  }

  private static String joined(Optional<String> first, Optional<String> second) {
    return Stream.of(first, second).flatMap(Optional::stream).collect(Collectors.joining(": "));
  }

  /** The structured content of a result is the task's result; without one, the whole result is. */
  private static Ending result(String json) {
    ObjectMembers members = ObjectMembers.of(json);
    if (members.json("isError").filter("true"::equals).isPresent()) {
      return new Ending.Failure(text(members).orElse(FAILED), null);
    }
    return new Ending.Result(
        members
            .json("structuredContent")
            .filter(content -> content.startsWith("{"))
            .orElse(json.startsWith("{") ? json : "{\"result\":%s}".formatted(json)));
  }

  private static Optional<String> text(ObjectMembers result) {
    return result
        .json("content")
        .flatMap(ArrayElements::of)
        .flatMap(contents ->
            contents.stream()
                .flatMap(content -> ObjectMembers.of(content).text("text").stream())
                .filter(text -> !text.isBlank())
                .findFirst());
  }
}
