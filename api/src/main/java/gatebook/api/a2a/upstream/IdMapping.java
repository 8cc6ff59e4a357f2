package gatebook.api.a2a.upstream;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.a2a.message.AnsweredTask;
import gatebook.api.a2a.message.NamedIds;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.rpc.MemberSearch;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.ToldIds;
import gatebook.events.fault.TaskFault.TaskNotCancelable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapping between the ids of the caller and of the agent in one request and its answers: the
 * caller was told its own while a message was held. An id that the caller takes from the agent
 * stays as it is.
 */
final class IdMapping {
  private static final String ID = "id";
  private static final String TASK = "task";
  private static final String MESSAGE = "message";
  private static final List<String> CONTEXT_ID = List.of(MESSAGE, "contextId");

  private final VersionedMethod method;

  /** Those that the request names, as the caller sent them. */
  private final Set<String> taskIds;

  private final Set<String> contextIds;

  private final @Nullable String about;

  /** What the agent has, by what the caller was told. */
  private final Map<String, AnsweredTask> tasks = new HashMap<>();

  private final Map<String, String> contexts = new HashMap<>();

  /** Contexts that the caller was told, and the agent does not know. */
  private final Set<String> unknownContexts = new HashSet<>();

  private @Nullable String addedContext;

  /** A mapping of no ids yet; {@code about} is the task that the request is about, if any. */
  IdMapping(VersionedMethod method, NamedIds named, Optional<String> about) {
    this.method = method;
    this.about = about.orElse(null);
    this.taskIds = new HashSet<>(named.taskIds());
    about.ifPresent(taskIds::add);
    this.contextIds = named.contextIds();
  }

  /** The tasks that the request names by ids which may be those of held messages. */
  List<TaskId> heldTasks() {
    return taskIds.stream().flatMap(id -> TaskId.parse(id).stream()).toList();
  }

  boolean isAbout(TaskId held) {
    return held.text().equals(about);
  }

  /**
   * A message within a held task's context is one within the agent's, whatever others are in it.
   */
  void addTask(TaskId held, AnsweredTask task) {
    tasks.put(held.text(), task);
    if (isAbout(held)) {
      if (task.agentContext() == null) {
        unknownContexts.add(task.heldContext());
      } else {
        contexts.put(task.heldContext(), task.agentContext());
      }
    }
  }

  void addContext(String told, String agents) {
    contexts.putIfAbsent(told, agents);
  }

  /** A message does not name the context: the agent begins one. */
  void addUnknownContext(String told) {
    unknownContexts.add(told);
  }

  /** A message that names no context is sent within this one of the agent. */
  void sendWithin(String agentContext) {
    addedContext = agentContext;
  }

  /** Whether the agent has no such context. */
  boolean isUnknown(@Nullable String contextId) {
    return unknownContexts.contains(contextId);
  }

  /** The call with the agent's ids. */
  Call toAgent(Call call) {
    String params = Optional.ofNullable(call.params()).orElse("{}");
    String mapped = MemberSearch.replaced(params, NamedIds.ALL, this::agentId);
    if (method.method().sendsMessage()) {
      mapped = withoutUnknown(mapped, params);
      mapped =
          addedContext == null
              ? mapped
              : MemberSplice.with(mapped, CONTEXT_ID, quoted(addedContext));
    } else if (aboutTask() != null) {
      mapped = MemberSplice.with(mapped, List.of(ID), quoted(aboutTask().agentId()));
    }
    return mapped.equals(call.params())
        ? call
        : new Call(call.id(), call.method(), mapped, call.notification(), call.headers());
  }

  /** What the agent has of the task that the request is about; absent where that is the same. */
  private @Nullable AnsweredTask aboutTask() {
    return tasks.get(about);
  }

  private Optional<String> agentId(String member, String id) {
    return NamedIds.isOfContext(member)
        ? Optional.ofNullable(contexts.get(id))
        : Optional.ofNullable(tasks.get(id)).map(AnsweredTask::agentId);
  }

  private String withoutUnknown(String mapped, String params) {
    ObjectMembers message = ObjectMembers.of(params).members(MESSAGE);
    String without = mapped;
    for (String name : NamedIds.OF_CONTEXTS) {
      if (message.text(name).filter(unknownContexts::contains).isPresent()) {
        without = MemberSplice.without(without, List.of(MESSAGE, name));
      }
    }
    return without;
  }

  /** A failure with the caller's id of the task that the request is about. */
  Response toCaller(Response response) {
    return about == null || aboutTask() == null
        ? response
        : switch (response) {
          case Ended.Failure(TaskNotFound _) -> new Ended.Failure(new TaskNotFound(about));
          case Ended.Failure(TaskNotCancelable(_, var current)) ->
              new Ended.Failure(new TaskNotCancelable(about, current));
          case Response other -> other;
        };
  }

  /**
   * The held message whose id an answer gets instead of the agent's; empty when it keeps that, or
   * is known.
   */
  Optional<TaskId> toldTask(AgentTaskKey answered, ToldIds told) {
    return Optional.ofNullable(told.taskId())
        .filter(_ -> !isNamed(answered))
        .flatMap(TaskId::parse)
        .filter(held -> !tasks.containsKey(held.text()));
  }

  private boolean isNamed(AgentTaskKey answered) {
    return taskIds.contains(answered.taskId()) || contextIds.contains(answered.contextId());
  }

  /**
   * How an answer, or an item of a stream, becomes what the caller gets.
   *
   * @param told what the caller was told instead of these ids
   * @param held the answered task, where {@link #toldTask} has one
   */
  AnswerMapping answer(AgentTaskKey answered, ToldIds told, Optional<AnsweredTask> held) {
    Map<String, String> toldTasks = new HashMap<>();
    Map<String, String> toldContexts = new HashMap<>();
    contexts.forEach((id, agents) -> {
      if (!contextIds.contains(agents)) {
        toldContexts.put(agents, id);
      }
    });
    tasks.forEach((id, task) -> {
      if (id.equals(about) || !taskIds.contains(task.agentId())) {
        toldTasks.put(task.agentId(), id);
      }
    });
    boolean keepsAgents = told.taskId() == null ? isNamedContext(answered) : isNamed(answered);
    if (answered.contextId() != null && told.contextId() != null && !keepsAgents) {
      toldContexts.putIfAbsent(answered.contextId(), told.contextId());
    }
    if (told.taskId() != null && held.isPresent()) {
      toldTasks.put(held.get().agentId(), told.taskId());
    }
    String toldTask = toldTasks.get(answered.taskId());
    if (toldTask != null && answered.contextId() != null) {
      Optional.ofNullable(tasks.get(toldTask))
          .or(() -> held)
          .ifPresent(task -> toldContexts.put(answered.contextId(), task.heldContext()));
    }
    return new AnswerMapping(toldTasks, toldContexts);
  }

  private boolean isNamedContext(AgentTaskKey answered) {
    return contextIds.contains(answered.contextId());
  }

  /**
   * The ids of an answer that the caller was told others for.
   *
   * @param tasks what the caller was told, by what the agent has
   * @param contexts as {@code tasks}
   */
  record AnswerMapping(Map<String, String> tasks, Map<String, String> contexts) {
    static final AnswerMapping NONE = new AnswerMapping(Map.of(), Map.of());

    /** An answer or an item of a stream with the caller's ids, wherever it names them. */
    String toCaller(String json) {
      if (tasks.isEmpty() && contexts.isEmpty()) {
        return json;
      }
      String mapped =
          MemberSearch.replaced(
              json,
              NamedIds.ALL,
              (member, id) ->
                  Optional.ofNullable((NamedIds.isOfContext(member) ? contexts : tasks).get(id)));
      mapped = withTask(mapped, ObjectMembers.of(mapped), List.of(ID));
      return withTask(mapped, ObjectMembers.of(mapped).members(TASK), List.of(TASK, ID));
    }

    private String withTask(String json, ObjectMembers task, List<String> path) {
      return task.text(ID)
          .map(tasks::get)
          .map(told -> MemberSplice.with(json, path, quoted(told)))
          .orElse(json);
    }
  }
}
