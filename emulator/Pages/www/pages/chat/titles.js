// The title of a conversation: a group's name, or the names of the other members.

export function titleOf(conversation, uid, people) {
  if (!conversation) return null;
  if (conversation.isGroup && conversation.name) return conversation.name;
  const others = conversation.participants.filter((other) => other !== uid);
  return others.length ? others.slice(0, 4).map((other) => people.name(other)).join(", ") : "Only you";
}
