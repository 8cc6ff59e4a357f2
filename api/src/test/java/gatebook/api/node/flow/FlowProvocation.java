package gatebook.api.node.flow;

import gatebook.api.node.ProvokedCall.Words;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A provocation of one error of the task-flow protocol.
 *
 * @param row the row of the requirement's tables that it provokes, with the case
 * @param paths the profiles in which the error is the same
 * @param id that of the response, as a JSON token
 * @param words the code, the message and the data without the correlation id
 * @param errors how many errors with the code are counted
 * @param isRepeated whether the error is that of the call of a task, which is counted alone
 */
record FlowProvocation(
    String row,
    List<String> paths,
    String token,
    String body,
    @Nullable String id,
    int status,
    Words words,
    String fault,
    int errors,
    boolean isRepeated) {
  private static final List<String> BOTH = List.of("/flow", "/flow/tasks");
  private static final int OK = 200;

  /** In both profiles, as joe. */
  static FlowProvocation of(String row, String method, String params, Words words, String fault) {
    return raw(row, FlowTasksOverHttp.request("1", method, params), "1", words, fault);
  }

  static FlowProvocation raw(
      String row, String body, @Nullable String id, Words words, String fault) {
    return new FlowProvocation(
        row, BOTH, FlowTasksOverHttp.JOE, body, id, OK, words, fault, 1, false);
  }

  /** In the shapes of the protocol's documents only. */
  FlowProvocation inProtocol() {
    return at("/flow");
  }

  /** In the shapes of existing clients only. */
  FlowProvocation inClient() {
    return at("/flow/tasks");
  }

  /** Also at the second path of existing clients. */
  FlowProvocation everywhere() {
    return at("/flow", "/flow/tasks", "/flow/system");
  }

  private FlowProvocation at(String... at) {
    return new FlowProvocation(
        row, List.of(at), token, body, id, status, words, fault, errors, isRepeated);
  }

  /** With another token, and the status that follows. */
  FlowProvocation by(String otherToken, int otherStatus) {
    return new FlowProvocation(
        row, paths, otherToken, body, id, otherStatus, words, fault, errors, isRepeated);
  }

  /** The call to the tool gets an error, which counts with this or another code. */
  FlowProvocation withErrorOfTheTool(int sameCode) {
    return new FlowProvocation(row, paths, token, body, id, status, words, fault, sameCode, true);
  }

  @Override
  public String toString() {
    return row;
  }
}
