package gatebook.api.gateway.message;

/** Listener of the hold of one call, for which nobody waits but the gateway itself. */
public interface HoldListener {

  /** The call has to wait for an approval. */
  void onHeld();

  /**
   * The call would have to wait for an approval, and as many calls do as may. It is not recorded,
   * and is made again when there is room.
   */
  void onNoRoom();

  /** The call waits for none any more: it goes on or ends, if it has not ended already. */
  void onResumed();
}
