import { render } from 'preact';
import { App } from './App';
import '../ui/style.css';

render(<App />, document.getElementById('app')!);
