package gatebook.api.upstream.agent.client;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.agent.client.AgentFailure.InternalError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to an agent, which may take several attempts.
 *
 * @param name of the method in the endpoint's version
 * @param params the text of an object
 * @param taskId of the task that the request names; absent when it names none
 */
record AgentRequest(
    A2aMethod method, String name, AgentEndpoint endpoint, String params, @Nullable String taskId) {

  /** Fails when the version has no such method, or the params are no object. */
  static AgentOutcome<AgentRequest> of(A2aMethod method, AgentEndpoint endpoint, String params) {
    if (!isObject(params)) {
      return AgentOutcome.failed(new InternalError("the params are no object"));
    }
    return method
        .wireName(endpoint.version())
        .map(name ->
            AgentOutcome.success(
                new AgentRequest(
                    method,
                    name,
                    endpoint,
                    withTenant(params, endpoint.tenant()),
                    taskId(method, ObjectMembers.of(params)))))
        .orElseGet(() -> AgentOutcome.failed(new InternalError("the version has no such method")));
  }

  A2aVersion version() {
    return endpoint.version();
  }

  /** The same request, with the mode in its params. */
  AgentRequest in(SendMode mode) {
    return new AgentRequest(method, name, endpoint, mode.applyTo(params, version()), taskId);
  }

  /** The message for one attempt. */
  byte[] message(String id) {
    return MessageWriter.request(id, name, params);
  }

  private static boolean isObject(String params) {
    try {
      ObjectMembers _ = ObjectMembers.of(params);
      return params.stripLeading().startsWith("{");
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static String withTenant(String params, @Nullable String tenant) {
    return tenant == null ? params : MemberSplice.with(params, List.of("tenant"), quoted(tenant));
  }

  private static @Nullable String taskId(A2aMethod method, ObjectMembers params) {
    return method.sendsMessage()
        ? params.members("message").text("taskId").orElse(null)
        : params.text("id").orElse(null);
  }
}
