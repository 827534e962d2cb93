#include "CPages.h"

// The files are embedded in the binary, so that it needs no folder of pages. Each file has an array here
// and a row in the table below; PageFilesTests compares both with the folder.

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "www/app.js"
};
static const unsigned char icon_svg[] = {
#embed "www/icon.svg"
};
static const unsigned char index_html[] = {
#embed "www/index.html"
};
static const unsigned char lib_authentication_js[] = {
#embed "www/lib/authentication.js"
};
static const unsigned char lib_copy_button_js[] = {
#embed "www/lib/copy-button.js"
};
static const unsigned char lib_database_socket_js[] = {
#embed "www/lib/database-socket.js"
};
static const unsigned char lib_database_js[] = {
#embed "www/lib/database.js"
};
static const unsigned char lib_demo_js[] = {
#embed "www/lib/demo.js"
};
static const unsigned char lib_dialog_js[] = {
#embed "www/lib/dialog.js"
};
static const unsigned char lib_dom_js[] = {
#embed "www/lib/dom.js"
};
static const unsigned char lib_emulator_js[] = {
#embed "www/lib/emulator.js"
};
static const unsigned char lib_firebase_storage_js[] = {
#embed "www/lib/firebase-storage.js"
};
static const unsigned char lib_firestore_js[] = {
#embed "www/lib/firestore.js"
};
static const unsigned char lib_format_js[] = {
#embed "www/lib/format.js"
};
static const unsigned char lib_listeners_js[] = {
#embed "www/lib/listeners.js"
};
static const unsigned char lib_marked_text_js[] = {
#embed "www/lib/marked-text.js"
};
static const unsigned char lib_members_js[] = {
#embed "www/lib/members.js"
};
static const unsigned char lib_parallel_js[] = {
#embed "www/lib/parallel.js"
};
static const unsigned char lib_polling_js[] = {
#embed "www/lib/polling.js"
};
static const unsigned char lib_router_js[] = {
#embed "www/lib/router.js"
};
static const unsigned char lib_storage_js[] = {
#embed "www/lib/storage.js"
};
static const unsigned char lib_untranslated_js[] = {
#embed "www/lib/untranslated.js"
};
static const unsigned char lib_user_field_js[] = {
#embed "www/lib/user-field.js"
};
static const unsigned char lib_user_js[] = {
#embed "www/lib/user.js"
};
static const unsigned char lib_values_js[] = {
#embed "www/lib/values.js"
};
static const unsigned char lib_virtual_list_js[] = {
#embed "www/lib/virtual-list.js"
};
static const unsigned char lib_web_channel_js[] = {
#embed "www/lib/web-channel.js"
};
static const unsigned char pages_authentication_css[] = {
#embed "www/pages/authentication.css"
};
static const unsigned char pages_authentication_js[] = {
#embed "www/pages/authentication.js"
};
static const unsigned char pages_authentication_account_dialog_js[] = {
#embed "www/pages/authentication/account-dialog.js"
};
static const unsigned char pages_authentication_account_fields_js[] = {
#embed "www/pages/authentication/account-fields.js"
};
static const unsigned char pages_authentication_account_row_js[] = {
#embed "www/pages/authentication/account-row.js"
};
static const unsigned char pages_authentication_accounts_js[] = {
#embed "www/pages/authentication/accounts.js"
};
static const unsigned char pages_authentication_fields_js[] = {
#embed "www/pages/authentication/fields.js"
};
static const unsigned char pages_authentication_message_row_js[] = {
#embed "www/pages/authentication/message-row.js"
};
static const unsigned char pages_authentication_messages_js[] = {
#embed "www/pages/authentication/messages.js"
};
static const unsigned char pages_authentication_new_user_js[] = {
#embed "www/pages/authentication/new-user.js"
};
static const unsigned char pages_authentication_removal_js[] = {
#embed "www/pages/authentication/removal.js"
};
static const unsigned char pages_authentication_settings_js[] = {
#embed "www/pages/authentication/settings.js"
};
static const unsigned char pages_authentication_words_js[] = {
#embed "www/pages/authentication/words.js"
};
static const unsigned char pages_chat_css[] = {
#embed "www/pages/chat.css"
};
static const unsigned char pages_chat_js[] = {
#embed "www/pages/chat.js"
};
static const unsigned char pages_chat_acknowledgements_js[] = {
#embed "www/pages/chat/acknowledgements.js"
};
static const unsigned char pages_chat_admission_js[] = {
#embed "www/pages/chat/admission.js"
};
static const unsigned char pages_chat_ask_panel_js[] = {
#embed "www/pages/chat/ask-panel.js"
};
static const unsigned char pages_chat_attachment_js[] = {
#embed "www/pages/chat/attachment.js"
};
static const unsigned char pages_chat_avatar_js[] = {
#embed "www/pages/chat/avatar.js"
};
static const unsigned char pages_chat_banners_js[] = {
#embed "www/pages/chat/banners.js"
};
static const unsigned char pages_chat_client_js[] = {
#embed "www/pages/chat/client.js"
};
static const unsigned char pages_chat_composer_js[] = {
#embed "www/pages/chat/composer.js"
};
static const unsigned char pages_chat_conversation_list_js[] = {
#embed "www/pages/chat/conversation-list.js"
};
static const unsigned char pages_chat_conversation_view_js[] = {
#embed "www/pages/chat/conversation-view.js"
};
static const unsigned char pages_chat_conversation_js[] = {
#embed "www/pages/chat/conversation.js"
};
static const unsigned char pages_chat_details_js[] = {
#embed "www/pages/chat/details.js"
};
static const unsigned char pages_chat_dialog_js[] = {
#embed "www/pages/chat/dialog.js"
};
static const unsigned char pages_chat_documents_js[] = {
#embed "www/pages/chat/documents.js"
};
static const unsigned char pages_chat_drafts_js[] = {
#embed "www/pages/chat/drafts.js"
};
static const unsigned char pages_chat_entries_js[] = {
#embed "www/pages/chat/entries.js"
};
static const unsigned char pages_chat_files_js[] = {
#embed "www/pages/chat/files.js"
};
static const unsigned char pages_chat_language_select_js[] = {
#embed "www/pages/chat/language-select.js"
};
static const unsigned char pages_chat_media_js[] = {
#embed "www/pages/chat/media.js"
};
static const unsigned char pages_chat_membership_js[] = {
#embed "www/pages/chat/membership.js"
};
static const unsigned char pages_chat_message_media_js[] = {
#embed "www/pages/chat/message-media.js"
};
static const unsigned char pages_chat_message_row_js[] = {
#embed "www/pages/chat/message-row.js"
};
static const unsigned char pages_chat_outbox_js[] = {
#embed "www/pages/chat/outbox.js"
};
static const unsigned char pages_chat_people_js[] = {
#embed "www/pages/chat/people.js"
};
static const unsigned char pages_chat_phone_menu_js[] = {
#embed "www/pages/chat/phone-menu.js"
};
static const unsigned char pages_chat_phone_js[] = {
#embed "www/pages/chat/phone.js"
};
static const unsigned char pages_chat_places_js[] = {
#embed "www/pages/chat/places.js"
};
static const unsigned char pages_chat_popover_js[] = {
#embed "www/pages/chat/popover.js"
};
static const unsigned char pages_chat_presence_js[] = {
#embed "www/pages/chat/presence.js"
};
static const unsigned char pages_chat_problems_js[] = {
#embed "www/pages/chat/problems.js"
};
static const unsigned char pages_chat_profile_picture_js[] = {
#embed "www/pages/chat/profile-picture.js"
};
static const unsigned char pages_chat_profile_js[] = {
#embed "www/pages/chat/profile.js"
};
static const unsigned char pages_chat_reading_js[] = {
#embed "www/pages/chat/reading.js"
};
static const unsigned char pages_chat_session_js[] = {
#embed "www/pages/chat/session.js"
};
static const unsigned char pages_chat_sign_in_forms_js[] = {
#embed "www/pages/chat/sign-in-forms.js"
};
static const unsigned char pages_chat_sign_in_screen_js[] = {
#embed "www/pages/chat/sign-in-screen.js"
};
static const unsigned char pages_chat_streaming_call_js[] = {
#embed "www/pages/chat/streaming-call.js"
};
static const unsigned char pages_chat_titles_js[] = {
#embed "www/pages/chat/titles.js"
};
static const unsigned char pages_chat_typing_js[] = {
#embed "www/pages/chat/typing.js"
};
static const unsigned char pages_chat_untranslated_js[] = {
#embed "www/pages/chat/untranslated.js"
};
static const unsigned char pages_chat_uploads_js[] = {
#embed "www/pages/chat/uploads.js"
};
static const unsigned char pages_chat_user_select_js[] = {
#embed "www/pages/chat/user-select.js"
};
static const unsigned char pages_data_css[] = {
#embed "www/pages/data.css"
};
static const unsigned char pages_data_js[] = {
#embed "www/pages/data.js"
};
static const unsigned char pages_data_address_js[] = {
#embed "www/pages/data/address.js"
};
static const unsigned char pages_data_changes_js[] = {
#embed "www/pages/data/changes.js"
};
static const unsigned char pages_data_collections_js[] = {
#embed "www/pages/data/collections.js"
};
static const unsigned char pages_data_conflict_js[] = {
#embed "www/pages/data/conflict.js"
};
static const unsigned char pages_data_document_window_js[] = {
#embed "www/pages/data/document-window.js"
};
static const unsigned char pages_data_document_js[] = {
#embed "www/pages/data/document.js"
};
static const unsigned char pages_data_documents_js[] = {
#embed "www/pages/data/documents.js"
};
static const unsigned char pages_data_field_dialogs_js[] = {
#embed "www/pages/data/field-dialogs.js"
};
static const unsigned char pages_data_field_tree_js[] = {
#embed "www/pages/data/field-tree.js"
};
static const unsigned char pages_data_name_list_js[] = {
#embed "www/pages/data/name-list.js"
};
static const unsigned char pages_data_new_document_js[] = {
#embed "www/pages/data/new-document.js"
};
static const unsigned char pages_data_query_form_js[] = {
#embed "www/pages/data/query-form.js"
};
static const unsigned char pages_data_query_js[] = {
#embed "www/pages/data/query.js"
};
static const unsigned char pages_data_reading_js[] = {
#embed "www/pages/data/reading.js"
};
static const unsigned char pages_data_removal_js[] = {
#embed "www/pages/data/removal.js"
};
static const unsigned char pages_data_transfer_js[] = {
#embed "www/pages/data/transfer.js"
};
static const unsigned char pages_data_types_js[] = {
#embed "www/pages/data/types.js"
};
static const unsigned char pages_data_value_input_js[] = {
#embed "www/pages/data/value-input.js"
};
static const unsigned char pages_database_css[] = {
#embed "www/pages/database.css"
};
static const unsigned char pages_database_js[] = {
#embed "www/pages/database.js"
};
static const unsigned char pages_database_address_js[] = {
#embed "www/pages/database/address.js"
};
static const unsigned char pages_database_dialogs_js[] = {
#embed "www/pages/database/dialogs.js"
};
static const unsigned char pages_database_listeners_js[] = {
#embed "www/pages/database/listeners.js"
};
static const unsigned char pages_database_transfer_js[] = {
#embed "www/pages/database/transfer.js"
};
static const unsigned char pages_database_tree_node_js[] = {
#embed "www/pages/database/tree-node.js"
};
static const unsigned char pages_database_tree_view_js[] = {
#embed "www/pages/database/tree-view.js"
};
static const unsigned char pages_events_css[] = {
#embed "www/pages/events.css"
};
static const unsigned char pages_events_js[] = {
#embed "www/pages/events.js"
};
static const unsigned char pages_events_actions_js[] = {
#embed "www/pages/events/actions.js"
};
static const unsigned char pages_events_details_js[] = {
#embed "www/pages/events/details.js"
};
static const unsigned char pages_events_diff_js[] = {
#embed "www/pages/events/diff.js"
};
static const unsigned char pages_events_feed_js[] = {
#embed "www/pages/events/feed.js"
};
static const unsigned char pages_events_filters_js[] = {
#embed "www/pages/events/filters.js"
};
static const unsigned char pages_events_groups_js[] = {
#embed "www/pages/events/groups.js"
};
static const unsigned char pages_events_list_js[] = {
#embed "www/pages/events/list.js"
};
static const unsigned char pages_events_row_js[] = {
#embed "www/pages/events/row.js"
};
static const unsigned char pages_events_subject_js[] = {
#embed "www/pages/events/subject.js"
};
static const unsigned char pages_events_time_scale_js[] = {
#embed "www/pages/events/time-scale.js"
};
static const unsigned char pages_events_timeline_js[] = {
#embed "www/pages/events/timeline.js"
};
static const unsigned char pages_events_trace_js[] = {
#embed "www/pages/events/trace.js"
};
static const unsigned char pages_events_words_js[] = {
#embed "www/pages/events/words.js"
};
static const unsigned char pages_functions_css[] = {
#embed "www/pages/functions.css"
};
static const unsigned char pages_functions_js[] = {
#embed "www/pages/functions.js"
};
static const unsigned char pages_functions_detail_js[] = {
#embed "www/pages/functions/detail.js"
};
static const unsigned char pages_functions_example_events_js[] = {
#embed "www/pages/functions/example-events.js"
};
static const unsigned char pages_functions_overview_js[] = {
#embed "www/pages/functions/overview.js"
};
static const unsigned char pages_functions_switches_js[] = {
#embed "www/pages/functions/switches.js"
};
static const unsigned char pages_functions_test_bench_js[] = {
#embed "www/pages/functions/test-bench.js"
};
static const unsigned char pages_functions_words_js[] = {
#embed "www/pages/functions/words.js"
};
static const unsigned char pages_logs_css[] = {
#embed "www/pages/logs.css"
};
static const unsigned char pages_logs_js[] = {
#embed "www/pages/logs.js"
};
static const unsigned char pages_logs_blocks_js[] = {
#embed "www/pages/logs/blocks.js"
};
static const unsigned char pages_logs_filters_js[] = {
#embed "www/pages/logs/filters.js"
};
static const unsigned char pages_logs_row_js[] = {
#embed "www/pages/logs/row.js"
};
static const unsigned char pages_phones_css[] = {
#embed "www/pages/phones.css"
};
static const unsigned char pages_phones_js[] = {
#embed "www/pages/phones.js"
};
static const unsigned char pages_phones_fault_form_js[] = {
#embed "www/pages/phones/fault-form.js"
};
static const unsigned char pages_phones_faults_js[] = {
#embed "www/pages/phones/faults.js"
};
static const unsigned char pages_phones_lock_screen_js[] = {
#embed "www/pages/phones/lock-screen.js"
};
static const unsigned char pages_phones_lock_screens_js[] = {
#embed "www/pages/phones/lock-screens.js"
};
static const unsigned char pages_phones_owners_js[] = {
#embed "www/pages/phones/owners.js"
};
static const unsigned char pages_phones_presets_js[] = {
#embed "www/pages/phones/presets.js"
};
static const unsigned char pages_phones_provider_js[] = {
#embed "www/pages/phones/provider.js"
};
static const unsigned char pages_phones_push_js[] = {
#embed "www/pages/phones/push.js"
};
static const unsigned char pages_phones_usage_js[] = {
#embed "www/pages/phones/usage.js"
};
static const unsigned char pages_requests_css[] = {
#embed "www/pages/requests.css"
};
static const unsigned char pages_requests_js[] = {
#embed "www/pages/requests.js"
};
static const unsigned char pages_requests_decision_js[] = {
#embed "www/pages/requests/decision.js"
};
static const unsigned char pages_requests_list_js[] = {
#embed "www/pages/requests/list.js"
};
static const unsigned char pages_requests_replay_js[] = {
#embed "www/pages/requests/replay.js"
};
static const unsigned char pages_requests_request_js[] = {
#embed "www/pages/requests/request.js"
};
static const unsigned char pages_requests_row_js[] = {
#embed "www/pages/requests/row.js"
};
static const unsigned char pages_requests_words_js[] = {
#embed "www/pages/requests/words.js"
};
static const unsigned char pages_status_css[] = {
#embed "www/pages/status.css"
};
static const unsigned char pages_status_js[] = {
#embed "www/pages/status.js"
};
static const unsigned char pages_status_connect_lines_js[] = {
#embed "www/pages/status/connect-lines.js"
};
static const unsigned char pages_status_copyable_js[] = {
#embed "www/pages/status/copyable.js"
};
static const unsigned char pages_status_rules_js[] = {
#embed "www/pages/status/rules.js"
};
static const unsigned char pages_storage_css[] = {
#embed "www/pages/storage.css"
};
static const unsigned char pages_storage_js[] = {
#embed "www/pages/storage.js"
};
static const unsigned char pages_storage_address_js[] = {
#embed "www/pages/storage/address.js"
};
static const unsigned char pages_storage_choosing_js[] = {
#embed "www/pages/storage/choosing.js"
};
static const unsigned char pages_storage_metadata_dialog_js[] = {
#embed "www/pages/storage/metadata-dialog.js"
};
static const unsigned char pages_storage_names_js[] = {
#embed "www/pages/storage/names.js"
};
static const unsigned char pages_storage_object_detail_js[] = {
#embed "www/pages/storage/object-detail.js"
};
static const unsigned char pages_storage_object_list_js[] = {
#embed "www/pages/storage/object-list.js"
};
static const unsigned char pages_storage_preview_js[] = {
#embed "www/pages/storage/preview.js"
};
static const unsigned char pages_storage_removal_js[] = {
#embed "www/pages/storage/removal.js"
};
static const unsigned char pages_storage_upload_list_js[] = {
#embed "www/pages/storage/upload-list.js"
};
static const unsigned char pages_storage_uploads_js[] = {
#embed "www/pages/storage/uploads.js"
};
static const unsigned char style_css[] = {
#embed "www/style.css"
};

#define ENTRY(path, bytes) {path, bytes, sizeof(bytes)}

static const struct page_file files[] = {
    ENTRY("app.js", app_js),
ENTRY("icon.svg", icon_svg),
ENTRY("index.html", index_html),
ENTRY("lib/authentication.js", lib_authentication_js),
ENTRY("lib/copy-button.js", lib_copy_button_js),
ENTRY("lib/database-socket.js", lib_database_socket_js),
ENTRY("lib/database.js", lib_database_js),
ENTRY("lib/demo.js", lib_demo_js),
ENTRY("lib/dialog.js", lib_dialog_js),
ENTRY("lib/dom.js", lib_dom_js),
ENTRY("lib/emulator.js", lib_emulator_js),
ENTRY("lib/firebase-storage.js", lib_firebase_storage_js),
ENTRY("lib/firestore.js", lib_firestore_js),
ENTRY("lib/format.js", lib_format_js),
ENTRY("lib/listeners.js", lib_listeners_js),
ENTRY("lib/marked-text.js", lib_marked_text_js),
ENTRY("lib/members.js", lib_members_js),
ENTRY("lib/parallel.js", lib_parallel_js),
ENTRY("lib/polling.js", lib_polling_js),
ENTRY("lib/router.js", lib_router_js),
ENTRY("lib/storage.js", lib_storage_js),
ENTRY("lib/untranslated.js", lib_untranslated_js),
ENTRY("lib/user-field.js", lib_user_field_js),
ENTRY("lib/user.js", lib_user_js),
ENTRY("lib/values.js", lib_values_js),
ENTRY("lib/virtual-list.js", lib_virtual_list_js),
ENTRY("lib/web-channel.js", lib_web_channel_js),
ENTRY("pages/authentication.css", pages_authentication_css),
ENTRY("pages/authentication.js", pages_authentication_js),
ENTRY("pages/authentication/account-dialog.js", pages_authentication_account_dialog_js),
ENTRY("pages/authentication/account-fields.js", pages_authentication_account_fields_js),
ENTRY("pages/authentication/account-row.js", pages_authentication_account_row_js),
ENTRY("pages/authentication/accounts.js", pages_authentication_accounts_js),
ENTRY("pages/authentication/fields.js", pages_authentication_fields_js),
ENTRY("pages/authentication/message-row.js", pages_authentication_message_row_js),
ENTRY("pages/authentication/messages.js", pages_authentication_messages_js),
ENTRY("pages/authentication/new-user.js", pages_authentication_new_user_js),
ENTRY("pages/authentication/removal.js", pages_authentication_removal_js),
ENTRY("pages/authentication/settings.js", pages_authentication_settings_js),
ENTRY("pages/authentication/words.js", pages_authentication_words_js),
ENTRY("pages/chat.css", pages_chat_css),
ENTRY("pages/chat.js", pages_chat_js),
ENTRY("pages/chat/acknowledgements.js", pages_chat_acknowledgements_js),
ENTRY("pages/chat/admission.js", pages_chat_admission_js),
ENTRY("pages/chat/ask-panel.js", pages_chat_ask_panel_js),
ENTRY("pages/chat/attachment.js", pages_chat_attachment_js),
ENTRY("pages/chat/avatar.js", pages_chat_avatar_js),
ENTRY("pages/chat/banners.js", pages_chat_banners_js),
ENTRY("pages/chat/client.js", pages_chat_client_js),
ENTRY("pages/chat/composer.js", pages_chat_composer_js),
ENTRY("pages/chat/conversation-list.js", pages_chat_conversation_list_js),
ENTRY("pages/chat/conversation-view.js", pages_chat_conversation_view_js),
ENTRY("pages/chat/conversation.js", pages_chat_conversation_js),
ENTRY("pages/chat/details.js", pages_chat_details_js),
ENTRY("pages/chat/dialog.js", pages_chat_dialog_js),
ENTRY("pages/chat/documents.js", pages_chat_documents_js),
ENTRY("pages/chat/drafts.js", pages_chat_drafts_js),
ENTRY("pages/chat/entries.js", pages_chat_entries_js),
ENTRY("pages/chat/files.js", pages_chat_files_js),
ENTRY("pages/chat/language-select.js", pages_chat_language_select_js),
ENTRY("pages/chat/media.js", pages_chat_media_js),
ENTRY("pages/chat/membership.js", pages_chat_membership_js),
ENTRY("pages/chat/message-media.js", pages_chat_message_media_js),
ENTRY("pages/chat/message-row.js", pages_chat_message_row_js),
ENTRY("pages/chat/outbox.js", pages_chat_outbox_js),
ENTRY("pages/chat/people.js", pages_chat_people_js),
ENTRY("pages/chat/phone-menu.js", pages_chat_phone_menu_js),
ENTRY("pages/chat/phone.js", pages_chat_phone_js),
ENTRY("pages/chat/places.js", pages_chat_places_js),
ENTRY("pages/chat/popover.js", pages_chat_popover_js),
ENTRY("pages/chat/presence.js", pages_chat_presence_js),
ENTRY("pages/chat/problems.js", pages_chat_problems_js),
ENTRY("pages/chat/profile-picture.js", pages_chat_profile_picture_js),
ENTRY("pages/chat/profile.js", pages_chat_profile_js),
ENTRY("pages/chat/reading.js", pages_chat_reading_js),
ENTRY("pages/chat/session.js", pages_chat_session_js),
ENTRY("pages/chat/sign-in-forms.js", pages_chat_sign_in_forms_js),
ENTRY("pages/chat/sign-in-screen.js", pages_chat_sign_in_screen_js),
ENTRY("pages/chat/streaming-call.js", pages_chat_streaming_call_js),
ENTRY("pages/chat/titles.js", pages_chat_titles_js),
ENTRY("pages/chat/typing.js", pages_chat_typing_js),
ENTRY("pages/chat/untranslated.js", pages_chat_untranslated_js),
ENTRY("pages/chat/uploads.js", pages_chat_uploads_js),
ENTRY("pages/chat/user-select.js", pages_chat_user_select_js),
ENTRY("pages/data.css", pages_data_css),
ENTRY("pages/data.js", pages_data_js),
ENTRY("pages/data/address.js", pages_data_address_js),
ENTRY("pages/data/changes.js", pages_data_changes_js),
ENTRY("pages/data/collections.js", pages_data_collections_js),
ENTRY("pages/data/conflict.js", pages_data_conflict_js),
ENTRY("pages/data/document-window.js", pages_data_document_window_js),
ENTRY("pages/data/document.js", pages_data_document_js),
ENTRY("pages/data/documents.js", pages_data_documents_js),
ENTRY("pages/data/field-dialogs.js", pages_data_field_dialogs_js),
ENTRY("pages/data/field-tree.js", pages_data_field_tree_js),
ENTRY("pages/data/name-list.js", pages_data_name_list_js),
ENTRY("pages/data/new-document.js", pages_data_new_document_js),
ENTRY("pages/data/query-form.js", pages_data_query_form_js),
ENTRY("pages/data/query.js", pages_data_query_js),
ENTRY("pages/data/reading.js", pages_data_reading_js),
ENTRY("pages/data/removal.js", pages_data_removal_js),
ENTRY("pages/data/transfer.js", pages_data_transfer_js),
ENTRY("pages/data/types.js", pages_data_types_js),
ENTRY("pages/data/value-input.js", pages_data_value_input_js),
ENTRY("pages/database.css", pages_database_css),
ENTRY("pages/database.js", pages_database_js),
ENTRY("pages/database/address.js", pages_database_address_js),
ENTRY("pages/database/dialogs.js", pages_database_dialogs_js),
ENTRY("pages/database/listeners.js", pages_database_listeners_js),
ENTRY("pages/database/transfer.js", pages_database_transfer_js),
ENTRY("pages/database/tree-node.js", pages_database_tree_node_js),
ENTRY("pages/database/tree-view.js", pages_database_tree_view_js),
ENTRY("pages/events.css", pages_events_css),
ENTRY("pages/events.js", pages_events_js),
ENTRY("pages/events/actions.js", pages_events_actions_js),
ENTRY("pages/events/details.js", pages_events_details_js),
ENTRY("pages/events/diff.js", pages_events_diff_js),
ENTRY("pages/events/feed.js", pages_events_feed_js),
ENTRY("pages/events/filters.js", pages_events_filters_js),
ENTRY("pages/events/groups.js", pages_events_groups_js),
ENTRY("pages/events/list.js", pages_events_list_js),
ENTRY("pages/events/row.js", pages_events_row_js),
ENTRY("pages/events/subject.js", pages_events_subject_js),
ENTRY("pages/events/time-scale.js", pages_events_time_scale_js),
ENTRY("pages/events/timeline.js", pages_events_timeline_js),
ENTRY("pages/events/trace.js", pages_events_trace_js),
ENTRY("pages/events/words.js", pages_events_words_js),
ENTRY("pages/functions.css", pages_functions_css),
ENTRY("pages/functions.js", pages_functions_js),
ENTRY("pages/functions/detail.js", pages_functions_detail_js),
ENTRY("pages/functions/example-events.js", pages_functions_example_events_js),
ENTRY("pages/functions/overview.js", pages_functions_overview_js),
ENTRY("pages/functions/switches.js", pages_functions_switches_js),
ENTRY("pages/functions/test-bench.js", pages_functions_test_bench_js),
ENTRY("pages/functions/words.js", pages_functions_words_js),
ENTRY("pages/logs.css", pages_logs_css),
ENTRY("pages/logs.js", pages_logs_js),
ENTRY("pages/logs/blocks.js", pages_logs_blocks_js),
ENTRY("pages/logs/filters.js", pages_logs_filters_js),
ENTRY("pages/logs/row.js", pages_logs_row_js),
ENTRY("pages/phones.css", pages_phones_css),
ENTRY("pages/phones.js", pages_phones_js),
ENTRY("pages/phones/fault-form.js", pages_phones_fault_form_js),
ENTRY("pages/phones/faults.js", pages_phones_faults_js),
ENTRY("pages/phones/lock-screen.js", pages_phones_lock_screen_js),
ENTRY("pages/phones/lock-screens.js", pages_phones_lock_screens_js),
ENTRY("pages/phones/owners.js", pages_phones_owners_js),
ENTRY("pages/phones/presets.js", pages_phones_presets_js),
ENTRY("pages/phones/provider.js", pages_phones_provider_js),
ENTRY("pages/phones/push.js", pages_phones_push_js),
ENTRY("pages/phones/usage.js", pages_phones_usage_js),
ENTRY("pages/requests.css", pages_requests_css),
ENTRY("pages/requests.js", pages_requests_js),
ENTRY("pages/requests/decision.js", pages_requests_decision_js),
ENTRY("pages/requests/list.js", pages_requests_list_js),
ENTRY("pages/requests/replay.js", pages_requests_replay_js),
ENTRY("pages/requests/request.js", pages_requests_request_js),
ENTRY("pages/requests/row.js", pages_requests_row_js),
ENTRY("pages/requests/words.js", pages_requests_words_js),
ENTRY("pages/status.css", pages_status_css),
ENTRY("pages/status.js", pages_status_js),
ENTRY("pages/status/connect-lines.js", pages_status_connect_lines_js),
ENTRY("pages/status/copyable.js", pages_status_copyable_js),
ENTRY("pages/status/rules.js", pages_status_rules_js),
ENTRY("pages/storage.css", pages_storage_css),
ENTRY("pages/storage.js", pages_storage_js),
ENTRY("pages/storage/address.js", pages_storage_address_js),
ENTRY("pages/storage/choosing.js", pages_storage_choosing_js),
ENTRY("pages/storage/metadata-dialog.js", pages_storage_metadata_dialog_js),
ENTRY("pages/storage/names.js", pages_storage_names_js),
ENTRY("pages/storage/object-detail.js", pages_storage_object_detail_js),
ENTRY("pages/storage/object-list.js", pages_storage_object_list_js),
ENTRY("pages/storage/preview.js", pages_storage_preview_js),
ENTRY("pages/storage/removal.js", pages_storage_removal_js),
ENTRY("pages/storage/upload-list.js", pages_storage_upload_list_js),
ENTRY("pages/storage/uploads.js", pages_storage_uploads_js),
ENTRY("style.css", style_css),
};

const struct page_file *page_files(size_t *count) {
  *count = sizeof(files) / sizeof(files[0]);
  return files;
}
