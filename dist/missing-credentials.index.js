// src/action/github/missing-credentials.ts
export const id = 674;
export const ids = [674];
export const modules = {

/***/ 2674:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainByEvent: () => (/* binding */ explainByEvent),
/* harmony export */   explainFork: () => (/* binding */ explainFork)
/* harmony export */ });
/** Reason and remedy as the end of a sentence. Undefined if the event is not the reason. */
function explainByEvent({ event, actor, isSkipped, }) {
    const byFork = explainFork(event, isSkipped);
    if (byFork !== undefined)
        return byFork;
    const isDependabot = [actor, event?.actor, event?.sender?.login].some(login => login?.toLowerCase() === 'dependabot[bot]');
    if (!isDependabot)
        return undefined;
    return `a workflow that Dependabot starts gets Dependabot secrets instead of Actions secrets. Add the secret under Settings, Secrets and variables, Dependabot${isSkipped ? '' : ', or set `on_missing_credentials: skip`'}`;
}
/** The same for a pull request from a fork. Undefined for any other event. */
function explainFork(event, isSkipped) {
    const isPull = event?.name.startsWith('pull_request') === true;
    if (!isPull || event?.name === 'pull_request_target' || event?.head?.isFork !== true)
        return undefined;
    return `GitHub gives no secrets to the workflow of a pull request from a fork. ${isSkipped ? 'Let' : 'Set `on_missing_credentials: skip` to skip such pull requests, or let'} a maintainer start the agent with an event that gets secrets, such as a comment (\`issue_comment\`), where the step checks that they have write access`;
}


/***/ })

};
